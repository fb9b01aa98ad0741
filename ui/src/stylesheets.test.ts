import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = import.meta.dirname;

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) =>
  path.replaceAll("\\", "/"),
);

const contents = (path: string) => readFileSync(join(root, path), "utf8");

const folderOf = (path: string) => path.split("/")[0] ?? path;

const classesIn = (text: string) => [...text.matchAll(/(?<![-\w])cass-[\w-]+/g)].map(([name]) => name);

function selectorsOf(stylesheet: string): string[] {
  const rules = contents(stylesheet)
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .matchAll(/([^{};]+)\{/g);
  return [...rules]
    .map(([, selectors = ""]) => selectors.trim())
    .filter((selectors) => !selectors.startsWith("@"))
    .flatMap((selectors) => selectors.split(/,(?![^(]*\))/));
}

/** The classes to which a stylesheet gives their look, as opposed to those that it adjusts inside of others. */
function classesOf(stylesheet: string): Set<string> {
  const names = selectorsOf(stylesheet).map((selector) =>
    classesIn(selector.replace(/^\s*\.cass-root\s/, "")),
  );
  return new Set(names.flatMap(([first, ...others]) => (first && others.length === 0 ? [first] : [])));
}

const stylesheets = files.filter((path) => path.endsWith(".css"));

/** Where each class has its look. */
const homes = Map.groupBy(
  stylesheets.flatMap((path) => [...classesOf(path)].map((name) => ({ name, path }))),
  ({ name }) => name,
);

/** The stylesheet of another folder to which a class belongs; undefined for what may be used there. */
function foreignHome(name: string, folder: string): string | undefined {
  const [home] = homes.get(name) ?? [];
  return home && ![folder, "ui"].includes(folderOf(home.path)) ? home.path : undefined;
}

function foreignClasses(path: string, names: readonly string[]): string[] {
  return [...new Set(names)].flatMap((name) => {
    const home = foreignHome(name, folderOf(path));
    return home ? [`${path} has ${name} of ${home}`] : [];
  });
}

it("gives each class its look in one stylesheet", () => {
  const several = [...homes].flatMap(([name, places]) =>
    places.length > 1 ? [`${name}: ${places.map(({ path }) => path).join(", ")}`] : [],
  );
  expect(several).toEqual([]);
});

it("uses a class only in the folder whose stylesheet has it, unless it is of the kit", () => {
  const sources = files.filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."));
  expect(sources.flatMap((path) => foreignClasses(path, classesIn(contents(path))))).toEqual([]);
});

it("adjusts in a stylesheet only what is its folder's own or the kit's, but in app, which puts all together", () => {
  const others = stylesheets.filter((path) => folderOf(path) !== "app");
  expect(others.flatMap((path) => foreignClasses(path, selectorsOf(path).flatMap(classesIn)))).toEqual([]);
});

it("says in each selector that it is about the panel: a stylesheet holds for all of ComfyUI's page", () => {
  const keyframe = /^(?:from|to|[\d.]+%)$/;
  const others = stylesheets.flatMap((path) =>
    selectorsOf(path)
      .map((selector) => selector.trim())
      .filter((selector) => classesIn(selector).length === 0 && !keyframe.test(selector))
      .map((selector) => `${path}: ${selector}`),
  );
  expect(others).toEqual([]);
});

/** Its declarations, as `property: value`. */
const declarationsOf = (stylesheet: string) =>
  [
    ...contents(stylesheet)
      .replaceAll(/\/\*[\s\S]*?\*\//g, "")
      .matchAll(/[\s;{]([\w-]+:[^;{}]+);/g),
  ].map(([, declaration = ""]) => declaration.replaceAll(/\s+/g, " "));

const breaking = (rule: RegExp) =>
  stylesheets.flatMap((path) =>
    declarationsOf(path)
      .filter((declaration) => rule.test(declaration))
      .map((declaration) => `${path}: ${declaration}`),
  );

it("takes sizes of type, spaces and corners from the tokens", () => {
  const raw =
    /^(?:font|font-size|gap|(?:row|column)-gap|(?:padding|margin)[\w-]*|border-[\w-]*radius):.*(?<![\d.])(?!1px)\d[\d.]*px/;
  expect(breaking(raw)).toEqual([]);
});

it("goes by the direction of the text, not by left and right", () => {
  const physical =
    /^(?:(?:padding|margin|border|inset)-)?(?:left|right|top|bottom)\b|^text-align: (?:left|right)|^(?:padding|margin|inset): (?:\S+ ){3}\S+$/;
  expect(breaking(physical)).toEqual([]);
});

it("makes another look by tokens alone", () => {
  const looks = [...contents("ui/theme.css").matchAll(/\[data-look="\w+"\] \{([^}]*)\}/g)];
  const declarations = looks.flatMap(([, body = ""]) => [...body.matchAll(/^\s*([\w-]+):/gm)]);
  expect(declarations.length).toBeGreaterThan(0);
  expect(declarations.flatMap(([, name = ""]) => (name.startsWith("--cass-") ? [] : [name]))).toEqual([]);
  expect(
    stylesheets.filter((path) => path !== "ui/theme.css" && contents(path).includes("data-look")),
  ).toEqual([]);
});

it("puts every stylesheet into the panel, or into the part of its folder that is loaded when it is needed", () => {
  const imported = [...contents("app/panel.css").matchAll(/@import "\.\.?\/([^"]+)"/g)].map(
    ([, path = ""]) => (path.includes("/") ? path : `app/${path}`),
  );
  const added = files
    .filter((path) => /\.tsx?$/.test(path) && contents(path).includes("addStyles(styles)"))
    .flatMap((path) =>
      [...contents(path).matchAll(/from "\.\/([^"]+\.css)\?inline"/g)].map(
        ([, name]) => `${folderOf(path)}/${name}`,
      ),
    )
    .filter((path) => path !== "app/panel.css");
  expect([...imported, ...added].toSorted()).toEqual(
    stylesheets.filter((path) => path !== "app/panel.css").toSorted(),
  );
});
