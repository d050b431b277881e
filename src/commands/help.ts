/** What `--help` adds to the lists of commands and options. */
export const rootHelp = `
Examples:
  scaffold new                                     ask two questions, then go
  scaffold new my-api --example blog --start       make, install and start a project
  scaffold check my-api                            is the schema sound, and the project in step with it?

Exit codes:
  0 done   1 our bug   2 usage   3 schema invalid   5 behind the schema
  6 environment   7 a decision is needed   130 cancelled
`;

export const newHelp = `
Examples:
  scaffold new                                     ask two questions, then go
  scaffold new shop --example shop --start         no question; install and start
  scaffold new shop --schema models.yaml --database postgres --pm pnpm
  cat models.yaml | scaffold new shop --schema - --no-install --json

Without a terminal, or with any option, nothing is asked: name a folder, all else has a default.
`;
