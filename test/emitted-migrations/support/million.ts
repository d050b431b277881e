import { plantTree, type Tree } from './tree.ts';

export const million = 1_000_000;

/** The tree with a million nodes, each but the first below another one. */
export async function plantMillion(): Promise<Tree> {
  const tree = await plantTree();
  tree.database.exec(`
    DELETE FROM leaves;
    DELETE FROM nodes;
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${million})
    INSERT INTO nodes (id, title, parent_id) SELECT n, 'node ' || n, nullif(n / 10, 0) FROM number;
    INSERT INTO leaves (text, node_id) SELECT title, id FROM nodes WHERE id % 10 = 0;
  `);
  return tree;
}

/** Sums that show that every row is there. */
export function sumsOf(tree: Tree): readonly unknown[] {
  return tree.all(
    `SELECT count(*), sum(id), sum(parent_id), sum(length(title)), (SELECT sum(node_id) FROM leaves) FROM nodes`,
  );
}
