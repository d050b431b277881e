const longestWait = 50;
const largestBatch = 65_536;

let batch = '';

/** Standard output, many lines at a time: a system call for each would cost as much as answering a request. */
export const logOutput = {
  write(line: string): void {
    if (batch === '') setTimeout(flush, longestWait).unref();
    batch += line;
    if (batch.length > largestBatch) flush();
  },
};

process.on('exit', flush);

function flush(): void {
  if (batch !== '') process.stdout.write(batch);
  batch = '';
}
