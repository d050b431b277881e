export const labels = { base: 'base', mine: 'yours', theirs: 'scaffold' };
