/** The modules that need the TypeScript compiler, which takes a third of a second to load. */
export async function loadTypeScript() {
  const { jsonLanguage, typescriptLanguage: typescript } = await import('./typescript/parse.ts');
  const { mergeTypeScript } = await import('./typescript/merge-typescript.ts');
  const { findDeclaration } = await import('./typescript/find-declaration.ts');
  const { listLiterals } = await import('./typescript/literals.ts');
  const { readQueries } = await import('./typescript/queries.ts');
  const { inOwnerForms } = await import('./typescript/owner-forms.ts');
  const needed = await import('./typescript/needed-imports.ts');
  const merging = { mergeTypeScript, findDeclaration, inOwnerForms, listLiterals, readQueries };
  return { jsonLanguage, typescript, ...merging, ...needed };
}
