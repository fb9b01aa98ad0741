import { app } from "../../scripts/app.js";

function finishLooks(node) {
  for (const [index, slot] of [...node.inputs, ...node.outputs].entries()) {
    slot.dir = index + 1;
    slot.label = `late ${slot.name}`;
    slot.color_on = "#ff0000";
  }
  node.setDirtyCanvas(true, true);
}

function finishInput(node) {
  if (!node.inputs.some(({ name }) => name === "late")) node.addInput("late", "IMAGE");
}

const finishing = { TestLateLooks: finishLooks, TestLateInput: finishInput };

app.registerExtension({
  name: "tests.lateNodes",
  nodeCreated(node) {
    const finish = finishing[node.comfyClass];
    if (finish) setTimeout(() => finish(node));
  },
});
