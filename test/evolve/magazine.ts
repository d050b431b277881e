/** A schema, and what one change turns it into. */
export const blog = `
enums: { Status: [draft, live, old] }
models:
  Post:
    soft_delete: true
    fields: { title: string(3..160), body: text, status: Status = draft, stars: int?, price: "decimal(6,2)?" }
    relations: { author: User, tags: "Tag[]" }
    indexes: [[status, -title]]
  Tag: { fields: { label: string(..40) unique } }
  Draft: { fields: { text: text } }
`;
export const magazine = `
enums: { Status: [{ value: new, was: draft }, live] }
models:
  Article:
    was: Post
    soft_delete: true
    fields:
      heading: { type: string(3..80), was: title }
      body: text
      status: { type: Status, default: new, backfill: live }
      stars: { type: int, min: 0, max: 5, backfill: 0 }
      price: "decimal(8,3)?"
      subtitle: string(..80)?
    relations: { author: { to: User, on_delete: cascade }, topics: { to: Topic, many: true, was: tags } }
    indexes: [[status, -heading]]
  Topic: { was: Tag, fields: { label: string(..40) unique, slug: { type: uuid, default: uuid, unique: true } } }
  Issue: { fields: { number: int }, relations: { cover: Article } }
`;
