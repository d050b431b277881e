import type { App } from '../../model/app.ts';
import { hashText, trackedFiles } from '../../project/base.ts';
import { printSnapshot, type Record } from '../../project/record.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import type { ReportedChange } from '../../terminal/report.ts';

/**
 * What would be emitted now, against what was emitted last. The schema file itself may be edited without changing its
 * meaning, and migrations are history: neither is compared, the meaning of the schema is.
 */
export function listBehind(
  record: Record,
  app: App,
  rendered: readonly RenderedFile[],
): ReportedChange[] {
  const compared = trackedFiles(rendered).filter(
    ({ path, policy }) => policy !== 'appended' && !/^schema\.(yaml|json)$/.test(path),
  );
  const paths = new Set(rendered.map(({ path }) => path));
  return [
    ...(record.schema === hashText(printSnapshot(app)) ? [] : [staleSnapshot]),
    ...compared.flatMap(({ path, content, model }) => {
      const before = record.files[path];
      if (before?.base === hashText(content)) return [];
      return [{ path, action: before ? 'update' : 'create', model }];
    }),
    ...Object.entries(record.files)
      .filter(([path, { policy }]) => policy !== 'appended' && !paths.has(path))
      .map(([path, { model }]) => ({ path, action: 'delete', model })),
  ];
}

const staleSnapshot = { path: '.scaffold/schema.json', action: 'update' };
