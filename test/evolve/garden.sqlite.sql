-- Every table of garden, for SQLite.

CREATE TABLE members (
  id integer PRIMARY KEY AUTOINCREMENT,
  name text NOT NULL,
  email text NOT NULL,
  password text NOT NULL,
  role text NOT NULL DEFAULT 'user',
  bio text,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  token_version integer NOT NULL DEFAULT 0,
  CONSTRAINT members_name_check CHECK (length(name) BETWEEN 1 AND 200),
  CONSTRAINT members_email_check CHECK (length(email) <= 254),
  CONSTRAINT members_role_check CHECK (role IN ('user', 'admin', 'gardener')),
  CONSTRAINT members_created_at_check CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  CONSTRAINT members_updated_at_check CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at))
) STRICT;
CREATE UNIQUE INDEX members_email_unique ON members (email);

-- A bed of the garden.
CREATE TABLE beds (
  id integer PRIMARY KEY AUTOINCREMENT,
  name text NOT NULL,
  planted_at text,
  season text NOT NULL DEFAULT 'spring',
  keeper_id integer NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  deleted_at text,
  CONSTRAINT beds_name_check CHECK (length(name) BETWEEN 1 AND 40),
  CONSTRAINT beds_planted_at_check CHECK (planted_at IS strftime('%Y-%m-%dT%H:%M:%fZ', planted_at)),
  CONSTRAINT beds_season_check CHECK (season IN ('spring', 'autumn')),
  CONSTRAINT beds_created_at_check CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  CONSTRAINT beds_updated_at_check CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  CONSTRAINT beds_deleted_at_check CHECK (deleted_at IS strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at)),
  CONSTRAINT beds_keeper_id_fkey FOREIGN KEY (keeper_id) REFERENCES members (id)
) STRICT;
CREATE UNIQUE INDEX beds_keeper_id_name_unique ON beds (keeper_id, name) WHERE deleted_at IS NULL;
CREATE INDEX beds_season_name_index ON beds (season, name DESC, id DESC);
CREATE INDEX beds_planted_at_index ON beds (planted_at, id);
CREATE INDEX beds_keeper_id_index ON beds (keeper_id, id);

CREATE TABLE plants (
  id text PRIMARY KEY,
  latin_name text NOT NULL,
  price integer NOT NULL DEFAULT 450, -- in units of 0.01
  bed_id integer NOT NULL,
  parent_id text,
  CONSTRAINT plants_id_check CHECK (length(id) = 36 AND id NOT GLOB '*[^-0-9a-f]*'),
  CONSTRAINT plants_latin_name_check CHECK (length(latin_name) <= 640),
  CONSTRAINT plants_price_check CHECK (price BETWEEN 0 AND 99999999),
  CONSTRAINT plants_bed_id_fkey FOREIGN KEY (bed_id) REFERENCES beds (id) ON DELETE CASCADE,
  CONSTRAINT plants_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES plants (id) ON DELETE SET NULL
) STRICT;
CREATE UNIQUE INDEX plants_latin_name_unique ON plants (latin_name);
CREATE INDEX plants_bed_id_index ON plants (bed_id, id);
CREATE INDEX plants_parent_id_index ON plants (parent_id, id);

CREATE TABLE tags (
  id integer PRIMARY KEY AUTOINCREMENT,
  name text NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  CONSTRAINT tags_created_at_check CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  CONSTRAINT tags_updated_at_check CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at))
) STRICT;

CREATE TABLE visits (
  id integer PRIMARY KEY AUTOINCREMENT,
  visitor_id integer NOT NULL,
  plant_id text NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  CONSTRAINT visits_created_at_check CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  CONSTRAINT visits_updated_at_check CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  CONSTRAINT visits_visitor_id_fkey FOREIGN KEY (visitor_id) REFERENCES members (id),
  CONSTRAINT visits_plant_id_fkey FOREIGN KEY (plant_id) REFERENCES plants (id)
) STRICT;
CREATE INDEX visits_visitor_id_index ON visits (visitor_id, id);
CREATE INDEX visits_plant_id_index ON visits (plant_id, id);

CREATE TABLE notes (
  id integer PRIMARY KEY AUTOINCREMENT,
  text text NOT NULL,
  bed_id integer NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  CONSTRAINT notes_created_at_check CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  CONSTRAINT notes_updated_at_check CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  CONSTRAINT notes_bed_id_fkey FOREIGN KEY (bed_id) REFERENCES beds (id)
) STRICT;
CREATE UNIQUE INDEX notes_bed_id_unique ON notes (bed_id);

CREATE TABLE beds_tags (
  bed_id integer NOT NULL,
  tag_id integer NOT NULL,
  CONSTRAINT beds_tags_bed_id_fkey FOREIGN KEY (bed_id) REFERENCES beds (id) ON DELETE CASCADE,
  CONSTRAINT beds_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags (id) ON DELETE CASCADE,
  PRIMARY KEY (bed_id, tag_id)
) STRICT;
CREATE INDEX beds_tags_tag_id_index ON beds_tags (tag_id);

-- One row a login; its refresh token is replaced at each use.
CREATE TABLE auth_sessions (
  id text PRIMARY KEY,
  user_id integer NOT NULL,
  current_jti text NOT NULL,
  current_iat integer NOT NULL,
  previous_jti text,
  rotated_at text,
  created_at text NOT NULL,
  expires_at text NOT NULL,
  revoked_at text,
  CONSTRAINT auth_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES members (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX auth_sessions_user_id_index ON auth_sessions (user_id);
CREATE INDEX auth_sessions_expires_at_index ON auth_sessions (expires_at);

-- Password resets: the SHA-256 of the one token that is live for a user.
CREATE TABLE auth_reset_tokens (
  token_hash text PRIMARY KEY,
  user_id integer NOT NULL,
  created_at text NOT NULL,
  expires_at text NOT NULL,
  used_at text,
  CONSTRAINT auth_reset_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES members (id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX auth_reset_tokens_user_id_unique ON auth_reset_tokens (user_id);

-- Attempts counted by address and by account.
CREATE TABLE auth_rate_limits (
  "key" text PRIMARY KEY,
  count integer NOT NULL,
  window_started_at text NOT NULL,
  blocked_until text
) STRICT;

-- Mail to be sent, and tried again until it is.
CREATE TABLE mail_outbox (
  id text PRIMARY KEY,
  kind text NOT NULL,
  recipient text NOT NULL,
  user_id integer,
  created_at text NOT NULL,
  attempts integer NOT NULL,
  next_attempt_at text NOT NULL,
  sent_at text,
  CONSTRAINT mail_outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES members (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX mail_outbox_user_id_index ON mail_outbox (user_id);
CREATE INDEX mail_outbox_next_attempt_at_index ON mail_outbox (next_attempt_at) WHERE sent_at IS NULL;
