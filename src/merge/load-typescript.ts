/** What works on syntax trees. The compiler takes a third of a second to load, so that waits until it is needed. */
export async function loadTypeScript() {
  const { jsonLanguage, typescript } = await import('./typescript/parse.ts');
  const { mergeTypeScript } = await import('./typescript/merge-typescript.ts');
  const { findDeclaration } = await import('./typescript/find-declaration.ts');
  const { literalsOf } = await import('./typescript/literals.ts');
  const needed = await import('./typescript/needed-imports.ts');
  const { addNeededImports, dropUnneededNames, lostNames } = needed;
  const imports = { addNeededImports, dropUnneededNames, lostNames };
  return { jsonLanguage, typescript, mergeTypeScript, findDeclaration, literalsOf, ...imports };
}
