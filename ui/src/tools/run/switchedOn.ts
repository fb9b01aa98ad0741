/** What a switch of a package's node, or a choice of what it does, stands for by its name. */

import type { NodeDefinition } from "../../comfy/bridge";
import { inputNamed } from "../../comfy/inputsInForce";
import type { Json } from "../../graph/graph";
import { isNamed, wordsOf } from "./inputNames";
import type { Finding, Risk } from "./riskyNodes";

const acts: readonly (readonly [Risk, RegExp])[] = [
  [
    "runs code",
    /(?:^|_)(?:remote_code|(?:allow|enable|run|execute)_(?:\w+_)?(?:code|exec|execution|eval|scripts?|shell|commands?)|unsafe|(?:auto|pip)_(?:install|update)|install_(?:missing|packages?|requirements|dependencies))(?:_|$)/,
  ],
  [
    "deletes or sends",
    /(?:^|_)(?:delete|rm|unlink|wipe|erase|upload|publish|push_to_hub|send|notify|shut_?down|power_?off|format_disk)(?:_|$)|^(?:share|public|restart|reboot|kill)$/,
  ],
  [
    "deletes or sends",
    /(?:^|_)(?:remove|clear|clean|purge|empty)_(?:\w+_)?(?:files?|folders?|director(?:y|ies)|dir|outputs?|originals?|source|disk)(?:_|$)/,
  ],
  ["may download a model", /(?:^|_)download(?:_|$)/],
];
/** What is let go by being switched off. */
const guards: readonly (readonly [Risk, RegExp])[] = [
  ["runs code", /(?:^|_)(?:weights_only|safe_(?:mode|load)|sandbox(?:ed)?)$/],
  ["may download a model", /(?:^|_)(?:local_files_only|offline(?:_mode)?)$/],
  ["deletes or sends", /(?:^|_)keep_(?:original|source|input)_(?:files?|images?|videos?)$/],
];
const choices =
  /(?:^|_)(?:action|operation|op|mode|behaviou?r|task|when_done|after|on_(?:finish|done|complete))$/i;
const on = /^(?:true|yes|on|enabled?|1|always|all|force)$/i;
const off = /^(?:false|no|off|disabled?|0|never)$/i;

/**
 * A guard that a node's package itself leaves off says nothing of what the workflow wants: what files such a node may
 * fetch is asked about by the names that it is given. Code and deleting count all the same.
 */
export function switchedOn(
  inputs: Readonly<Record<string, Json>>,
  definition: NodeDefinition | undefined,
): Finding[] {
  return Object.entries(inputs).flatMap(([input, value]): Finding[] => {
    const text = typeof value === "string" ? value.trim() : String(value);
    const isOn = value === true || (typeof value === "string" && on.test(text));
    const plainInput = wordsOf(input).join("_");
    const guard = off.test(text) ? guards.find(([, names]) => names.test(plainInput)) : undefined;
    if (guard?.[0] === "may download a model" && isDefault(definition, input, value)) return [];
    if (guard) return [{ risk: guard[0], cause: { input, value } }];
    if (value === 1 && acts[0]?.[1].test(plainInput)) return [{ risk: "runs code", cause: { input, value } }];
    const isChoice = typeof value === "string" && isNamed(input, choices);
    const said = isOn ? input : isChoice ? value : undefined;
    if (said === undefined) return [];
    const plain = wordsOf(said).join("_");
    const act = acts.find(([, names]) => names.test(plain));
    return act ? [{ risk: act[0], cause: { input, value } }] : [];
  });
}

/** Whether a new node has this value. */
export function isDefault(definition: NodeDefinition | undefined, input: string, value: Json): boolean {
  const known = definition && inputNamed(definition, input)?.default;
  return known !== undefined && JSON.stringify(known) === JSON.stringify(value);
}
