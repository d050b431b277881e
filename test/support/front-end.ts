/** As a careful front end has them, with a bundler. */
export const frontEndSettings = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    types: ['node'],
    jsx: 'react-jsx',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    strict: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noPropertyAccessFromIndexSignature: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ['*.ts', '*.tsx'],
};
