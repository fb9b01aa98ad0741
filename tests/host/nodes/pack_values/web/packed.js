/** A node that saves its values in a form that only it can read. */

import { app } from "../../scripts/app.js";

app.registerExtension({
  name: "test.packed",
  async beforeRegisterNodeDef(nodeType, nodeData) {
    if (nodeData.name !== "TestPacked") return;
    nodeType.prototype.onSerialize = function (saved) {
      saved.widgets_values = { packed: this.widgets.map(({ value }) => value).join("|") };
    };
    nodeType.prototype.onConfigure = function ({ widgets_values: values }) {
      const packed = values?.packed?.split("|").map(Number) ?? [1, 2];
      this.widgets.forEach((widget, index) => {
        widget.value = packed[index];
      });
    };
  },
});
