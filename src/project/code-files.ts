/** A TypeScript module, as scaffold emits them. */
export const isModuleFile = (path: string) => /(?<!\.d)\.ts$/.test(path);

/** Any TypeScript file except declarations. */
export const isTypeScriptFile = (path: string) => /(?<!\.d)\.[cm]?tsx?$/.test(path);

/** TypeScript or JavaScript. */
export const isCodeFile = (path: string) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(path);

export const isDeclarationFile = (path: string) => /\.d\.[cm]?ts$/.test(path);
