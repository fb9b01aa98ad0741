/** A seed of -1 stands for another one with each run: it is written into the widget for the prompt, and taken out of it after. */

import { app } from "../../scripts/app.js";

app.registerExtension({
  name: "test.rollingSeed",
  nodeCreated(node) {
    if (node.comfyClass !== "TestRollingSeed") return;
    const seed = node.widgets.find(({ name }) => name === "rolled");
    let isRolled = false;
    seed.serializeValue = async () => {
      isRolled = seed.value === -1;
      if (isRolled) seed.value = 1 + Math.floor(Math.random() * 1e9);
      return seed.value;
    };
    seed.afterQueued = () => {
      if (isRolled) seed.value = -1;
    };
  },
});
