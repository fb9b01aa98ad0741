/**
 * A node with a list of objects, which grows by a button, between a heading and lines that hold nothing. It goes on
 * counting where it is configured once more.
 */

import { app } from "../../scripts/app.js";

const blank = { on: true, lora: "None", strength: 1, strengthTwo: null };

function addPart(node, name, value) {
  const widget = { type: "custom", name, value, options: { serialize: false }, draw() {} };
  widget.computeSize = () => [200, 6];
  return node.addCustomWidget(widget);
}

function addLora(node, value = blank) {
  node.loraCount = (node.loraCount ?? 0) + 1;
  const widget = addPart(node, `lora_${node.loraCount}`, undefined);
  let held;
  Object.defineProperty(widget, "value", {
    get: () => held,
    set(next) {
      held = typeof next === "object" ? next : { ...blank };
    },
  });
  widget.value = { ...value };
  widget.options = {};
  widget.serializeValue = () => ({ ...widget.value });
  const end = node.widgets.findIndex(({ name }) => name === "add line");
  node.widgets.splice(node.widgets.indexOf(widget), 1);
  node.widgets.splice(end < 0 ? node.widgets.length : end, 0, widget);
}

function lay(node, loras) {
  node.widgets = [];
  addPart(node, "divider", {});
  addPart(node, "StackHeading", { type: "StackHeading" });
  for (const value of loras) addLora(node, value);
  addPart(node, "add line", {});
  addPart(node, "➕ Add Lora", "");
}

app.registerExtension({
  name: "test.lora-stack",
  async beforeRegisterNodeDef(nodeType, nodeData) {
    if (nodeData.name !== "TestLoraStack") return;
    const { onNodeCreated } = nodeType.prototype;
    nodeType.prototype.onNodeCreated = function () {
      onNodeCreated?.call(this);
      this.serialize_widgets = true;
      lay(this, []);
    };
    const { configure } = nodeType.prototype;
    nodeType.prototype.configure = function (saved) {
      const loras = (saved.widgets_values ?? []).filter((value) => value?.lora !== undefined);
      configure.call(this, { ...saved, widgets_values: undefined });
      lay(this, loras);
    };
  },
});
