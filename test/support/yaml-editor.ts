import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { must } from './run.ts';
import { scratchFolder } from './scratch.ts';

/** The last that runs on Node 20. */
const languageServer = 'yaml-language-server@1.25.0';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri: string; readonly diagnostics: readonly Finding[] };
  readonly result?: { readonly items: readonly { readonly label: string }[] } | null;
}

interface Finding {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

export interface YamlEditor {
  /** What the editor marks in a schema that is opened beside `.scaffold/`. */
  marks(text: string): Promise<readonly Finding[]>;
  /** What it offers where the text has a `|`. */
  offers(text: string): Promise<readonly string[]>;
  close(): void;
}

/** An editor with the YAML language server, which VS Code, Neovim and others run, over a folder with these JSON schemas. */
export async function openYamlEditor(
  schemas: Readonly<Record<string, string>>,
): Promise<YamlEditor> {
  const folder = await scratchFolder('editor');
  await mkdir(join(folder, '.scaffold'));
  for (const [path, schema] of Object.entries(schemas)) await writeFile(join(folder, path), schema);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await must('npm', ['install', '--no-audit', '--no-fund', languageServer], { cwd: folder });
  const program = join(folder, 'node_modules/yaml-language-server/bin/yaml-language-server');
  const child = spawn(process.execPath, [program, '--stdio'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { send, answer } = exchangeMessages(child.stdin, child.stdout);
  let last = 0;
  const ask = (method: string, params: object) => {
    const id = (last += 1);
    send({ id, method, params });
    return answer((message) => message.id === id && message.method === undefined);
  };
  const open = (text: string) => {
    const uri = pathToFileURL(join(folder, `schema-${(last += 1)}.yaml`)).href;
    const marked = answer(({ params }) => params?.uri === uri);
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    send({ method: 'textDocument/didOpen', params: { textDocument } });
    return { uri, marked };
  };

  const rootUri = pathToFileURL(folder).href;
  await ask('initialize', { processId: process.pid, rootUri, capabilities: {} });
  send({ method: 'initialized', params: {} });
  return {
    async marks(text) {
      return (await open(text).marked).params?.diagnostics ?? [];
    },
    async offers(text) {
      const at = text.indexOf('|');
      const before = text.slice(0, at).split('\n');
      const { uri, marked } = open(text.replace('|', ''));
      await marked;
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      const { result } = await ask('textDocument/completion', { textDocument: { uri }, position });
      return (result?.items ?? []).map(({ label }) => label);
    },
    close: () => void child.kill(),
  };
}

/** JSON-RPC as language servers speak it: a head with the length, then the body. */
function exchangeMessages(output: Writable, input: Readable) {
  const waiting: { isIt: (message: Message) => boolean; take: (message: Message) => void }[] = [];
  let received = Buffer.alloc(0);
  input.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const head = received.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/.exec(received.toString('latin1', 0, head))?.[1],
      );
      if (head < 0 || received.length < head + 4 + length) return;
      const message: Message = JSON.parse(received.toString('utf8', head + 4, head + 4 + length));
      received = received.subarray(head + 4 + length);
      for (const it of waiting.filter(({ isIt }) => isIt(message))) {
        waiting.splice(waiting.indexOf(it), 1);
        it.take(message);
      }
    }
  });
  return {
    send(message: object) {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      output.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    },
    answer: (isIt: (message: Message) => boolean) =>
      new Promise<Message>((take) => waiting.push({ isIt, take })),
  };
}
