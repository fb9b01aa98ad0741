/** What a switch of a package's node, or a choice of what it does, stands for by its name. */

import type { Json } from "../../graph/graph";
import { isNamed, wordsOf } from "./inputNames";
import type { Finding, Risk } from "./riskyNodes";

const acts: readonly (readonly [Risk, RegExp])[] = [
  [
    "runs code",
    /(?:^|_)(?:remote_code|(?:allow|enable|run|execute)_(?:\w+_)?(?:code|exec|execution|eval|scripts?|shell|commands?)|unsafe)(?:_|$)/,
  ],
  ["deletes or sends", /(?:^|_)(?:delete|unlink|wipe|erase|upload|publish|push_to_hub)(?:_|$)/],
  [
    "deletes or sends",
    /(?:^|_)(?:remove|clear|clean|purge|empty)_(?:\w+_)?(?:files?|folders?|director(?:y|ies)|dir|outputs?|originals?|source|disk)(?:_|$)/,
  ],
  ["may download a model", /(?:^|_)download(?:_|$)/],
];
const choices = /(?:^|_)(?:action|operation|op|mode)$/i;
const on = /^(?:true|yes|on|enabled?|1)$/i;

export function switchedOn(inputs: Readonly<Record<string, Json>>): Finding[] {
  return Object.entries(inputs).flatMap(([input, value]): Finding[] => {
    const isOn = value === true || (typeof value === "string" && on.test(value.trim()));
    const isChoice = typeof value === "string" && isNamed(input, choices);
    const said = isOn ? input : isChoice ? value : undefined;
    if (said === undefined) return [];
    const plain = wordsOf(said).join("_");
    const act = acts.find(([, names]) => names.test(plain));
    return act ? [{ risk: act[0], cause: { input, value } }] : [];
  });
}
