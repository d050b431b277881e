export function exportedNames(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(exported)].flatMap(([, name, list]) =>
    name === undefined
      ? (list ?? '').split(',').map((it) => it.trim().split(/\s/).at(-1) ?? '')
      : [name],
  );
  return new Set(names.filter((name) => name !== ''));
}

const exported =
  /^export\s+(?:(?:declare\s+|async\s+|abstract\s+)*(?:const|let|var|function\*?|class|interface|type|enum)\s+([\w$]+)|(?:type\s*)?\{([^}]*)\})/gm;
