/**
 * A workflow written as a script, the notation that small models for code write best:
 *
 *     image = NodeA(width=64, color="red")
 *     NodeB(images=image)
 *
 * A subset of Python: one call per line, named or positional arguments, calls inside calls, and several names on the
 * left for several outputs.
 */

import { ToolError } from "../tool";

export type Literal = string | number | boolean;

/** An output of an earlier node: by place, by name, or the one that fits. */
export interface Reference {
  node: string;
  output?: number | string;
}

export interface Argument {
  /** Undefined for a positional one. */
  name?: string;
  value: { literal: Literal } | { reference: Reference } | { unknownName: string };
}

export interface ScriptNode {
  /** Unique in the script: `n1`, `n2` and so on, in the order of making. */
  as: string;
  type: string;
  args: Argument[];
}

const token =
  /\s*(?:(#[^\n]*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_+|-]*)|([=(),.;[\]\n]))/uy;

/** Throws a ToolError that names the line. */
export function parseScript(script: string): ScriptNode[] {
  return script
    .split("\n")
    .flatMap((line, index) => [{ line, number: index + 1 }])
    .reduce((reader, { line, number }) => reader.read(line, number), new ScriptReader()).nodes;
}

class ScriptReader {
  readonly nodes: ScriptNode[] = [];
  private readonly names = new Map<string, Reference>();
  private tokens: string[] = [];
  private at = 0;
  private line = 0;

  read(line: string, number: number): this {
    this.line = number;
    this.tokens = this.split(line.replaceAll("```python", "").replaceAll("```", ""));
    this.at = 0;
    while (this.at < this.tokens.length) {
      if (this.peek() === ";") this.at += 1;
      else this.statement();
    }
    return this;
  }

  private statement(): void {
    const targets: string[] = [];
    const start = this.at;
    while (isName(this.peek())) {
      targets.push(this.next());
      if (this.peek() === ",") this.at += 1;
      else break;
    }
    if (this.peek() === "=" && targets.length > 0) this.at += 1;
    else {
      targets.length = 0;
      this.at = start;
    }
    const node = this.call();
    for (const [index, name] of targets.entries())
      this.names.set(name, targets.length === 1 ? { node } : { node, output: index });
  }

  private call(): string {
    const type = this.next();
    if (!isName(type)) throw this.wrong(`"${type}"`, "a node type");
    this.expect("(");
    const args: Argument[] = [];
    while (this.peek() !== ")") {
      const name = this.argumentName();
      args.push({ ...(name !== undefined && { name }), value: this.value() });
      if (this.peek() === ",") this.at += 1;
      else if (this.peek() !== ")") throw this.wrong(this.shown(), '"," or ")"');
    }
    this.at += 1;
    const as = `n${this.nodes.length + 1}`;
    this.nodes.push({ as, type, args });
    return as;
  }

  /** `width=`, or in full as `images.image0=`; undefined where a value stands. */
  private argumentName(): string | undefined {
    const rest = this.tokens.slice(this.at);
    const end = rest.indexOf("=");
    const parts = end < 0 ? [] : rest.slice(0, end);
    const isNamed =
      parts.length > 0 && parts.every((part, index) => (index % 2 ? part === "." : isName(part)));
    if (!isNamed) return undefined;
    this.at += parts.length + 1;
    return parts.join("");
  }

  private value(): Argument["value"] {
    const text = this.next();
    if (/^["']/.test(text)) return { literal: unquoted(text) };
    if (/^-?\d/.test(text)) return { literal: Number(text) };
    if (!isName(text)) throw this.wrong(`"${text}"`, "a value");
    if (/^(true|false)$/i.test(text)) return { literal: /^true$/i.test(text) };
    if (this.peek() === "(") {
      this.at -= 1;
      return { reference: this.withOutput({ node: this.call() }) };
    }
    const known = this.names.get(text);
    return known ? { reference: this.withOutput(known) } : { unknownName: this.dotted(text) };
  }

  /** `.IMAGE` or `[0]` behind a node. */
  private withOutput(reference: Reference): Reference {
    if (this.peek() === ".") {
      this.at += 1;
      return { ...reference, output: this.next() };
    }
    if (this.peek() === "[") {
      this.at += 1;
      const index = Number(this.next());
      this.expect("]");
      return { ...reference, output: index };
    }
    return reference;
  }

  /** A file name that was written without quotes. */
  private dotted(name: string): string {
    let whole = name;
    while (this.peek() === ".") {
      this.at += 1;
      whole += `.${this.next()}`;
    }
    return whole;
  }

  private split(line: string): string[] {
    const found: string[] = [];
    token.lastIndex = 0;
    while (token.lastIndex < line.trimEnd().length) {
      const start = token.lastIndex;
      const match = token.exec(line);
      if (!match) throw this.wrong(`"${line.slice(start).trim().slice(0, 30)}"`, "a call with arguments");
      if (match[1] === undefined) found.push(match[0].trim());
    }
    return found;
  }

  private peek(): string {
    return this.tokens[this.at] ?? "";
  }

  private next(): string {
    const found = this.peek();
    if (found === "") throw this.wrong("the end of the line", "more of the call");
    this.at += 1;
    return found;
  }

  private expect(wanted: string): void {
    if (this.peek() !== wanted) throw this.wrong(this.shown(), `"${wanted}"`);
    this.at += 1;
  }

  private shown(): string {
    return this.peek() === "" ? "the end of the line" : `"${this.peek()}"`;
  }

  private wrong(found: string, expected: string): ToolError {
    return new ToolError(
      `Line ${this.line} of the script has ${found} where ${expected} was expected.`,
      "Write one node per line: name = NodeType(widget=value, input=name_of_an_earlier_line).",
    );
  }
}

function isName(text: string): boolean {
  return /^[\p{L}_]/u.test(text);
}

function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
}
