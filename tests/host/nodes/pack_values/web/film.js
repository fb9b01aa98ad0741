/** A node that saves its values by name, takes a list for an older form, and grows widgets with its format. */

import { app } from "../../scripts/app.js";

const partsOf = {
  "image/gif": [["toggle", "dither", true, {}]],
  "video/h264": [
    ["combo", "pixels", "yuv420p", { values: ["yuv420p", "yuv420p10le"] }],
    ["number", "crf", 19, { min: 0, max: 100, precision: 0, step2: 1 }],
    ["toggle", "with_metadata", true, {}],
  ],
  "video/prores": [["combo", "profile", "hq", { values: ["lt", "standard", "hq"] }]],
};

/** How lists were meant, once. */
const olderForm = ["frame_rate", "loop_count", "filename_prefix", "format", "shown", "pingpong"];

function showParts(node) {
  const format = node.widgets.findIndex(({ name }) => name === "format");
  const kept = node.widgets.filter((widget) => !widget.isPart);
  const fresh = (partsOf[node.widgets[format].value] ?? []).map(([type, name, value, options]) => {
    const widget = node.addWidget(type, name, value, () => {}, options);
    widget.isPart = true;
    return widget;
  });
  node.widgets = kept;
  node.widgets.splice(format + 1, 0, ...fresh);
}

app.registerExtension({
  name: "test.film",
  async beforeRegisterNodeDef(nodeType, nodeData) {
    if (nodeData.name !== "TestFilm") return;
    const { onNodeCreated, onConfigure, onSerialize } = nodeType.prototype;
    nodeType.prototype.onNodeCreated = function () {
      onNodeCreated?.call(this);
      const preview = this.addCustomWidget({
        type: "preview",
        name: "preview",
        value: { hidden: false, paused: false, params: {} },
        options: { serialize: false },
        draw() {},
        computeSize: () => [200, 4],
      });
      preview.serializeValue = () => undefined;
      const format = this.widgets.find(({ name }) => name === "format");
      const { callback } = format;
      format.callback = (...given) => {
        callback?.apply(format, given);
        showParts(this);
      };
      showParts(this);
    };
    nodeType.prototype.onSerialize = function (saved) {
      onSerialize?.call(this, saved);
      saved.widgets_values = Object.fromEntries(this.widgets.map(({ name, value }) => [name, value]));
    };
    nodeType.prototype.onConfigure = function (saved) {
      onConfigure?.call(this, saved);
      const values = saved.widgets_values;
      if (!values) return;
      const byName = Array.isArray(values)
        ? Object.fromEntries(values.map((value, index) => [olderForm[index], value]))
        : values;
      const format = this.widgets.find(({ name }) => name === "format");
      if ("format" in byName) format.value = byName.format;
      showParts(this);
      for (const widget of this.widgets) if (widget.name in byName) widget.value = byName[widget.name];
    };
  },
});
