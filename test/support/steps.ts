import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The commands of the project's CI, as they stand there. */
export async function stepsOfCi(project: string): Promise<readonly string[]> {
  const workflow = await readFile(join(project, '.github/workflows/ci.yml'), 'utf8');
  return [...workflow.matchAll(/^ +- run: (.*)$/gm)].map(([, step = '']) => step);
}

export interface ImageSteps {
  /** The commands of its first stage. */
  readonly build: readonly string[];
  /** What its last stage copies from there. */
  readonly copied: readonly string[];
  /** The version of Node that the last stage has. */
  readonly node: number;
}

export async function stepsOfImage(project: string): Promise<ImageSteps> {
  const lines = await readFile(join(project, 'Dockerfile'), 'utf8');
  const [build = '', last = ''] = lines.split(/^FROM .*$/m).slice(1);
  const [, major = ''] = /^FROM node:(\d+)-slim$/m.exec(lines) ?? [];
  return {
    build: [...build.matchAll(/^RUN (.*)$/gm)].map(([, step = '']) => step),
    copied: [...last.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, name = '']) => name),
    node: Number(major),
  };
}
