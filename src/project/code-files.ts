/** A module such as scaffold makes. */
export const isModuleFile = (path: string) => /(?<!\.d)\.ts$/.test(path);

/** TypeScript that a compiler looks into. */
export const isTypeScriptFile = (path: string) => /(?<!\.d)\.[cm]?tsx?$/.test(path);

/** That, or JavaScript. */
export const isCodeFile = (path: string) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(path);

export const isDeclarationFile = (path: string) => /\.d\.[cm]?ts$/.test(path);
