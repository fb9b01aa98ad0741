/** Whether a text looks like a program, or like the key of an account. */

import type { Json } from "../../graph/graph";

const program: readonly RegExp[] = [
  /^\s*(?:#!|print *\()/,
  /^\s*(?:java|vb)script:/i,
  /^[^\S\n\r\u2028\u2029]*(?:def \w+ *\([^)\n]*\)[^:\n]*:|class \w.*: *$|from [\w.]+ import |import [\w.]+(?: as \w+)? *(?:;|$)|lambda\b[^:\n]*:)/m,
  /__(?:import|globals|builtins|class|subclasses|mro|bases|getattribute|reduce(?:_ex)?|dict|code|closure|loader)__/,
  /\. *(?:gi|cr|ag|f|tb)_(?:frame|back|globals|builtins|code|locals)\b/,
  /\b(?:os\.(?:system|popen|remove|exec\w*)|subprocess\.\w+|shutil\.\w+|child_process)\b|\b(?:eval|exec) *\(/,
  /\$\([a-z]+[ )][^)\n]*|^\s*`[^`\n]+`\s*$|\$\{(?:jndi|script|\w+:-)/i,
  /(?:;|&&|\|\|?) *(?:sudo |rm|curl|wget|nc|sh|bash|zsh|python3?|powershell|cmd|node)(?:\s|$)/,
  /^[^\S\n\r\u2028\u2029]*(?:sudo|curl|wget|rm -|powershell|cmd(?:\.exe)? \/c|bash -c|sh -c|python3? -c|pip install|git clone)\b/m,
  // SQL, which orders to edit a picture begin like: "insert into the scene a red car".
  /^\s*(?:(?:drop|alter)\s+table\s+(?:if\s+exists\s+)?\S+\s*(?:;|$|\b(?:add|drop|rename)\b)|attach\s+database\b)/i,
  /^\s*(?:delete\s+from\s+\S+\s*(?:;|\bwhere\b)|insert\s+into\s+\S+\s*(?:\(|\b(?:values|select)\b)|update\s+\S+\s+set\s+\S+\s*=)/i,
];
const key =
  /^\s*(?:bearer\s+|sk-|hf_|gh[opsu]_|github_pat_|glpat-|xox[abp]-|AKIA|AIza|r8_|fal-|nvapi-)[\w.:/+=-]{12,}\s*$/i;

export function looksLikeCode(value: Json): boolean {
  return typeof value === "string" && program.some((pattern) => pattern.test(value));
}

export function looksLikeKey(value: Json): boolean {
  return typeof value === "string" && key.test(value);
}
