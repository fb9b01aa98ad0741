/** A button bears the seed of the newest prompt in its name. It keeps no value, and whoever looks at a prompt renames it, too. */

import { app } from "../../scripts/app.js";

app.registerExtension({
  name: "test.seedButton",
  nodeCreated(node) {
    if (node.comfyClass !== "TestSeedButton") return;
    const seed = node.widgets.find(({ name }) => name === "drawn");
    const button = node.addWidget("button", "Last seed", null, () => {}, { serialize: false });
    let isRolled = false;
    seed.serializeValue = async () => {
      isRolled = seed.value === -1;
      if (isRolled) seed.value = 1 + Math.floor(Math.random() * 1e9);
      button.name = `Last seed: ${seed.value}`;
      return seed.value;
    };
    seed.afterQueued = () => {
      if (isRolled) seed.value = -1;
    };
  },
});
