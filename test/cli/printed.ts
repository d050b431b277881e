interface Child extends Promise<unknown> {
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
}

/** What a program has printed up to and including the text, as soon as it has; a program that ends without it has failed. */
export function printed(child: Child, stream: 'stdout' | 'stderr', text: string): Promise<string> {
  let sofar = '';
  return new Promise((found, fail) => {
    child[stream].on('data', (chunk: Buffer) => {
      sofar += chunk.toString();
      if (sofar.includes(text)) found(sofar);
    });
    void child.then((ended) => fail(new Error(JSON.stringify(ended))));
  });
}
