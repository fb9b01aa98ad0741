import { app } from "../../scripts/app.js";

app.registerExtension({
  name: "tests.renamedNodes",
  loadedGraphNode(node) {
    if (node.type === "TestFormer") node.type = "TestPresent";
  },
});
