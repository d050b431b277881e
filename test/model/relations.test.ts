import { describe, expect, test } from 'vitest';
import { buildApp } from '../../src/model/build.ts';
import { isToMany } from '../../src/model/lookups.ts';
import { modelOf, relationOf } from './find.ts';
import { gardenSchema } from './garden.ts';
import { at, model, relation, schemaOf } from './schema-values.ts';

const garden = buildApp(gardenSchema());

describe('relations', () => {
  test('a to-one has a key here and an inverse there', () => {
    expect(relationOf(modelOf(garden, 'Plant'), 'bed')).toMatchObject({
      kind: 'one',
      target: 'Bed',
      key: 'bed_id',
      onDelete: 'cascade',
    });
    expect(relationOf(modelOf(garden, 'Bed'), 'plants')).toEqual({
      kind: 'inverse',
      id: 'inverse:Plant.bed',
      name: 'plants',
      target: 'Plant',
      of: 'bed',
    });
    expect(isToMany(relationOf(modelOf(garden, 'Bed'), 'plants'), garden)).toBe(true);
    expect(isToMany(relationOf(modelOf(garden, 'Bed'), 'note'), garden)).toBe(false);
  });

  test('what a changed id does to keys is set for all of them, or for one', () => {
    const editor = relation('editor', 'User', { onUpdate: at('restrict') });
    const schema = schemaOf(
      [model('User'), model('Note', { relations: [relation('author', 'User'), editor] })],
      { storage: { onUpdate: at('cascade') } },
    );
    const note = modelOf(buildApp(schema), 'Note');
    expect(relationOf(note, 'author')).toMatchObject({ onUpdate: 'cascade' });
    expect(relationOf(note, 'editor')).not.toHaveProperty('onUpdate');
  });

  test('a many-to-many gets a join table, seen from both sides', () => {
    expect(garden.joinTables).toEqual([
      {
        id: 'join:Bed.tags',
        table: 'beds_tags',
        left: { column: 'bed_id', model: 'Bed' },
        right: { column: 'tag_id', model: 'Tag' },
        index: 'beds_tags_tag_id_index',
      },
    ]);
    const joint = { kind: 'links', table: 'beds_tags' };
    expect(relationOf(modelOf(garden, 'Bed'), 'tags')).toMatchObject({
      ...joint,
      column: 'bed_id',
      targetColumn: 'tag_id',
      idsField: 'tag_ids',
    });
    const beds = relationOf(modelOf(garden, 'Tag'), 'beds');
    expect(beds).toMatchObject({ ...joint, column: 'tag_id', targetColumn: 'bed_id' });
    expect(beds).not.toHaveProperty('idsField');
  });

  test('`through` uses the keys of the model between', () => {
    const pairs = { kind: 'links', table: 'visits', through: 'Visit' };
    expect(relationOf(modelOf(garden, 'Plant'), 'visitors')).toMatchObject({
      ...pairs,
      column: 'plant_id',
      targetColumn: 'visitor_id',
    });
    expect(relationOf(modelOf(garden, 'User'), 'visited')).toMatchObject({
      ...pairs,
      column: 'visitor_id',
      targetColumn: 'plant_id',
    });
  });

  test('a model between a model and itself uses its two keys in order', () => {
    const app = buildApp(
      schemaOf([
        model('User', {
          relations: [relation('following', 'User', { many: true, through: at('Follow') })],
        }),
        model('Follow', {
          relations: [relation('follower', 'User'), relation('followed', 'User')],
        }),
      ]),
    );
    expect(relationOf(modelOf(app, 'User'), 'following')).toMatchObject({
      column: 'follower_id',
      targetColumn: 'followed_id',
    });
  });

  test('a model’s links to itself have two columns', () => {
    const app = buildApp(
      schemaOf([model('Post', { relations: [relation('posts', 'Post', { many: true })] })]),
    );
    expect(app.joinTables[0]).toMatchObject({
      left: { column: 'post_id' },
      right: { column: 'target_post_id' },
    });
  });
});
