import { app } from "../../scripts/app.js";

// The server tells which outputs match for nodes of its newer form only.
app.registerExtension({
  name: "test.inputKinds",
  beforeRegisterNodeDef(_nodeType, nodeData) {
    if (nodeData.name === "TestMatchedSwitch") nodeData.output_matchtypes = ["side"];
  },
});
