/** A field of a text that nobody writes: it is there to show what came of a run. */

import { app } from "../../scripts/app.js";
import { ComfyWidgets } from "../../scripts/widgets.js";

app.registerExtension({
  name: "test.shownText",
  async beforeRegisterNodeDef(nodeType, nodeData) {
    if (nodeData.name !== "TestShownText") return;
    const { onNodeCreated, onExecuted } = nodeType.prototype;
    nodeType.prototype.onNodeCreated = function () {
      onNodeCreated?.call(this);
      const { widget } = ComfyWidgets.STRING(this, "shown", ["STRING", { multiline: true }], app);
      widget.inputEl.readOnly = true;
      widget.serializeValue = () => "";
    };
    nodeType.prototype.onExecuted = function (message) {
      onExecuted?.call(this, message);
      this.widgets.find(({ name }) => name === "shown").value = message.text[0];
    };
  },
});
