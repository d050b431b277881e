-- 0002_drop_draft_and_14_more, for SQLite.
-- Code of the former schema fails once this is applied: stop it first.
-- There is no way back but a backup.

-- Draft is dropped.
-- SCF411:Draft: The rows of Draft are deleted.
DROP TABLE drafts;

DROP INDEX posts_status_title_index;
DROP INDEX posts_author_id_index;
DROP INDEX tags_label_unique;
DROP INDEX posts_tags_tag_id_index;
ALTER TABLE posts RENAME TO articles;
ALTER TABLE tags RENAME TO topics;
ALTER TABLE posts_tags RENAME TO articles_topics;

-- Tables below are made anew. Indexes and triggers of yours are kept here until the runner has made
--   them again; a column that the schema does not know stops the migration.
CREATE TEMP TABLE IF NOT EXISTS carried__objects (sql text NOT NULL);
CREATE TEMP TABLE IF NOT EXISTS unknown__columns (
  name text CONSTRAINT the_schema_does_not_know_a_column_of_this_table CHECK (name IS NULL)
);

-- Post is now called Article.
-- Post.title is now called Article.heading.
-- SCF424:Article.heading: Values that Article.heading does not allow have to be changed first.
-- Article.heading has other bounds.
-- Article.stars has other bounds.
-- SCF414:Article.stars: Values that Article.stars does not allow become its backfill.
-- Article.stars is required.
-- Article.price was decimal(6,2) and becomes decimal(8,3).
-- What deleting does to Article.author changes.
-- Article.subtitle is new.
-- Status.old is dropped.
-- SCF415:Status.old: Rows that hold old get the field's backfill.
-- Status.draft is now called Status.new.
INSERT INTO unknown__columns SELECT name FROM pragma_table_info('articles') WHERE name NOT IN ('id', 'title', 'body', 'status', 'stars', 'price', 'author_id', 'created_at', 'updated_at', 'deleted_at');
ALTER TABLE articles RENAME COLUMN title TO heading;
CREATE TABLE articles__rebuilt (
  id integer PRIMARY KEY AUTOINCREMENT,
  heading text NOT NULL,
  body text NOT NULL,
  status text NOT NULL DEFAULT 'new',
  stars integer NOT NULL,
  price integer, -- in units of 0.001
  subtitle text,
  author_id integer NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  deleted_at text,
  CONSTRAINT articles_heading_check CHECK (length(heading) BETWEEN 3 AND 80),
  CONSTRAINT articles_status_check CHECK (status IN ('new', 'live')),
  CONSTRAINT articles_stars_check CHECK (stars BETWEEN 0 AND 5),
  CONSTRAINT articles_price_check CHECK (price BETWEEN -99999999 AND 99999999),
  CONSTRAINT articles_subtitle_check CHECK (length(subtitle) <= 80),
  CONSTRAINT articles_created_at_check CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  CONSTRAINT articles_updated_at_check CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  CONSTRAINT articles_deleted_at_check CHECK (deleted_at IS strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at)),
  CONSTRAINT articles_author_id_fkey FOREIGN KEY (author_id) REFERENCES users (id) ON DELETE CASCADE
) STRICT;
INSERT INTO articles__rebuilt (id, heading, body, status, stars, price, subtitle, author_id, created_at, updated_at, deleted_at)
SELECT
  id,
  heading,
  body,
  CASE status WHEN 'draft' THEN 'new' WHEN 'old' THEN 'live' ELSE status END,
  CASE WHEN stars IS NULL OR NOT (stars BETWEEN 0 AND 5) THEN 0 ELSE stars END,
  price * 10,
  NULL,
  author_id,
  created_at,
  updated_at,
  deleted_at
FROM articles;
-- Ids of rows that are gone are not given out again.
DELETE FROM sqlite_sequence WHERE name = 'articles__rebuilt';
INSERT INTO sqlite_sequence (name, seq) SELECT 'articles__rebuilt', seq FROM sqlite_sequence WHERE name = 'articles';
INSERT INTO carried__objects SELECT sql FROM sqlite_master
  WHERE tbl_name = 'articles' AND type IN ('index', 'trigger') AND sql IS NOT NULL AND name NOT IN ('posts_status_title_index', 'posts_author_id_index', 'articles_status_heading_index', 'articles_author_id_index');
DROP TABLE articles;
-- What names this table elsewhere goes on naming it.
PRAGMA legacy_alter_table = ON;
ALTER TABLE articles__rebuilt RENAME TO articles;
PRAGMA legacy_alter_table = OFF;
CREATE INDEX articles_status_heading_index ON articles (status, heading DESC, id DESC);
CREATE INDEX articles_author_id_index ON articles (author_id, id);

-- Tag is now called Topic.
-- Topic.slug is new.
-- Topic.slug is unique.
INSERT INTO unknown__columns SELECT name FROM pragma_table_info('topics') WHERE name NOT IN ('id', 'label', 'created_at', 'updated_at');
CREATE TABLE topics__rebuilt (
  id integer PRIMARY KEY AUTOINCREMENT,
  label text NOT NULL,
  slug text NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  CONSTRAINT topics_label_check CHECK (length(label) <= 40),
  CONSTRAINT topics_slug_check CHECK (length(slug) = 36 AND slug NOT GLOB '*[^-0-9a-f]*'),
  CONSTRAINT topics_created_at_check CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  CONSTRAINT topics_updated_at_check CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at))
) STRICT;
INSERT INTO topics__rebuilt (id, label, slug, created_at, updated_at)
SELECT
  id,
  label,
  lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-' || '4' || substr(hex(randomblob(2)), 2) || '-' || substr('89ab', 1 + abs(random() % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
  created_at,
  updated_at
FROM topics;
-- Ids of rows that are gone are not given out again.
DELETE FROM sqlite_sequence WHERE name = 'topics__rebuilt';
INSERT INTO sqlite_sequence (name, seq) SELECT 'topics__rebuilt', seq FROM sqlite_sequence WHERE name = 'topics';
INSERT INTO carried__objects SELECT sql FROM sqlite_master
  WHERE tbl_name = 'topics' AND type IN ('index', 'trigger') AND sql IS NOT NULL AND name NOT IN ('tags_label_unique', 'topics_label_unique', 'topics_slug_unique');
DROP TABLE topics;
-- What names this table elsewhere goes on naming it.
PRAGMA legacy_alter_table = ON;
ALTER TABLE topics__rebuilt RENAME TO topics;
PRAGMA legacy_alter_table = OFF;
CREATE UNIQUE INDEX topics_label_unique ON topics (label);
CREATE UNIQUE INDEX topics_slug_unique ON topics (slug);

-- The links of Article.topics move to the table articles_topics.
ALTER TABLE articles_topics RENAME COLUMN post_id TO article_id;
ALTER TABLE articles_topics RENAME COLUMN tag_id TO topic_id;
CREATE INDEX articles_topics_topic_id_index ON articles_topics (topic_id);

CREATE TABLE issues (
  id integer PRIMARY KEY AUTOINCREMENT,
  number integer NOT NULL,
  cover_id integer NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  CONSTRAINT issues_number_check CHECK (number BETWEEN -2147483648 AND 2147483647),
  CONSTRAINT issues_created_at_check CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  CONSTRAINT issues_updated_at_check CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  CONSTRAINT issues_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES articles (id)
) STRICT;
CREATE INDEX issues_cover_id_index ON issues (cover_id, id);
