PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1: users, sessions, failures');
INSERT INTO grdb_migrations VALUES('2: tenants, e-mail addresses to sign in with');
INSERT INTO grdb_migrations VALUES('3: the Newzulu door');
INSERT INTO grdb_migrations VALUES('4: clients and tokens');
INSERT INTO grdb_migrations VALUES('5: the Salesforce door');
INSERT INTO grdb_migrations VALUES('6: self-service flows and mail');
INSERT INTO grdb_migrations VALUES('7: the Primer door');
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  -- The SHA-256 of the name's comparison form; see UserName.
  name_key BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  display_name TEXT NOT NULL,
  email TEXT,
  attributes TEXT NOT NULL,
  password TEXT,
  -- Memory times passes of the stored hash; see IdentityService on equal work.
  password_work INTEGER NOT NULL DEFAULT 0,
  disabled INTEGER NOT NULL DEFAULT 0,
  -- Counts what ends all sessions; see User.generation.
  generation INTEGER NOT NULL DEFAULT 0,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL
, tenant TEXT, email_key BLOB) STRICT;
INSERT INTO users VALUES('BrNi6igIf-0ca0DKYduWSw',X'438c4c7afe600cdf1e455c369bec76dc970fc8ca463447c7b387a347f3c79331','ann@example.org','ann@example.org',NULL,'{}','$argon2id$v=19$m=8,t=1,p=1$yM/4GO24PBbS1Gje9/hHZw$riDbhjpn99qJRCIbuVzNRpFknBf1xXfvpy+l7phiQ4Y',8,0,0,1795534985.6089015006,1795534985.6089015006,NULL,NULL);
CREATE TABLE sessions (
  -- The SHA-256 of the id; the id itself is stored nowhere.
  id_hash BLOB PRIMARY KEY,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  attributes TEXT NOT NULL,
  created_at REAL NOT NULL,
  seen_at REAL NOT NULL,
  -- No later than this; a touch moves it on.
  expires_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO sessions VALUES(X'0f38ef1bcf655e604b555b90bc03039fab22b49b6af89838b99c1a3115b4763f','BrNi6igIf-0ca0DKYduWSw','{}',1795535191.5586161613,1795535191.5586161613,1795621651.5586161612);
INSERT INTO sessions VALUES(X'2616c85bb93363a500d0b8bd74601091c516ff5396c2c48a46800a9f27eeddea','BrNi6igIf-0ca0DKYduWSw','{}',1795535137.7935295105,1795535137.7935295105,1795621597.7935295105);
INSERT INTO sessions VALUES(X'2e9bce86f03a0f07032a7534ef8b8fa571b391c803d94851dc09051cdc60afd1','BrNi6igIf-0ca0DKYduWSw','{}',1795535137.8061037064,1795535137.8061037064,1795621597.8061037062);
INSERT INTO sessions VALUES(X'3de1eb7ee5bf5e884aaf6e3470a4a593bef73282f2856fd393329d9dafa80c2a','BrNi6igIf-0ca0DKYduWSw','{}',1795535178.887034893,1795535178.887034893,1795621638.887034893);
INSERT INTO sessions VALUES(X'3f6aa0e47209b5a3133e84a9064edb40dbd73c245bebe73dd5b78425e1540596','BrNi6igIf-0ca0DKYduWSw','{}',1795535191.6444449424,1795535191.6444449424,1795542451.6444449424);
INSERT INTO sessions VALUES(X'67ead98e3d1f3c06318631ff3c2162d7e3689e5cb3066b0cdcc78c4fcb690f06','BrNi6igIf-0ca0DKYduWSw','{}',1795535178.8784222603,1795535178.8784222603,1795621638.8784222603);
INSERT INTO sessions VALUES(X'81a5d26b4d14f1acbbb856a672d4961e477969f83fc13e86fe448ecb6c9d2b98','BrNi6igIf-0ca0DKYduWSw','{"vhost":"1"}',1795535191.6613364219,1795535191.6613364219,1795621651.6613364219);
INSERT INTO sessions VALUES(X'a3b3c7450a5b7b3fe17b8f5533a5d06781491b83b9164384d177d8cdd7cc443a','BrNi6igIf-0ca0DKYduWSw','{}',1795535191.6181006431,1795535191.6181006431,1795621651.6181006431);
INSERT INTO sessions VALUES(X'ae75a943df266dce4bf8f90624eb72680938f579ab614d42966bbc4645270b52','BrNi6igIf-0ca0DKYduWSw','{}',1795535037.0900974273,1795535037.0900974273,1795621497.0900974273);
INSERT INTO sessions VALUES(X'e9431fe2e88eb287c7df2f297fb9d2c132446dfb94b389e1eff000f8e9303ced','BrNi6igIf-0ca0DKYduWSw','{}',1795535191.633498907,1795535191.633498907,1795621651.6334989071);
INSERT INTO sessions VALUES(X'f72606289119c4bd4329d516b4a722c4670517fc504572a08a97ce13fd9ddd8e','BrNi6igIf-0ca0DKYduWSw','{}',1795535178.8680567741,1795535178.8680567741,1795621638.868056774);
INSERT INTO sessions VALUES(X'fbfa6f7566a9ce0f3ad2b80a9b753e4c6f352f79057d714089d935f901d48734','BrNi6igIf-0ca0DKYduWSw','{}',1795535137.8420457839,1795535137.8420457839,1795542397.8420457839);
INSERT INTO sessions VALUES(X'fce41507845b6b984d5f7dfd09deb95b2cada8946b2cfbc247336eb2e8c981fd','BrNi6igIf-0ca0DKYduWSw','{}',1795535178.8944377899,1795535178.8944377899,1795542438.8944377898);
CREATE TABLE failures (
  name_key BLOB PRIMARY KEY,
  count INTEGER NOT NULL,
  blocked_until REAL NOT NULL,
  updated_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE newzulu_accounts (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  last_login REAL
) STRICT;
INSERT INTO newzulu_accounts VALUES(1,'BrNi6igIf-0ca0DKYduWSw',1795535191.6606163979);
CREATE TABLE newzulu_keys (api_key TEXT PRIMARY KEY) STRICT;
INSERT INTO newzulu_keys VALUES('b71814c0ea654da519d61939cacc5433');
CREATE TABLE newzulu_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  vhost TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  message TEXT NOT NULL,
  filename TEXT NOT NULL,
  type TEXT NOT NULL,
  channel TEXT NOT NULL,
  size INTEGER NOT NULL,
  part_size INTEGER NOT NULL,
  -- 1 queued, 3 ready, 5 incomplete as the vendor counts; 0 given up.
  status INTEGER NOT NULL,
  -- Whether somebody has looked it over and everybody may see it.
  is_moderated INTEGER NOT NULL DEFAULT 0,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL
) STRICT;
CREATE TABLE newzulu_parts (
  file_id INTEGER NOT NULL REFERENCES newzulu_files (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  size INTEGER NOT NULL,
  etag TEXT NOT NULL,
  -- The name of its file, in the folder of its upload.
  name TEXT NOT NULL,
  PRIMARY KEY (file_id, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  is_confidential INTEGER NOT NULL,
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  policy TEXT NOT NULL,
  attributes TEXT NOT NULL,
  disabled INTEGER NOT NULL DEFAULT 0,
  created_at REAL NOT NULL
) STRICT;
INSERT INTO clients VALUES('3MVG9ugguYlHxQVIfwGCPsAjILVWA0iSmRUjXw_0dUBNoj--J9qlFXr8xljqxRwLLpGpkivlynlryOuAod7bo','Ostiary',0,'["http://127.0.0.1/callback","http://localhost:1717/OauthRedirect"]','id api refresh_token','{"accessIsSliding":true,"accessSeconds":7200,"codeSeconds":900,"endsWithPassword":false,"longestCodeVerifier":1024,"mostAccessOnlyGrants":100,"mostAccessTokens":100,"mostApprovals":5,"refreshAbsoluteSeconds":-1,"refreshIdleSeconds":-1,"replaySeconds":60,"replaysUntilSuccessorIsUsed":false,"requiresCodeChallenge":true,"rotates":false}','{"door":"salesforce"}',0,1795534985.6018743515);
CREATE TABLE client_secrets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  -- The SHA-256 of the secret.
  secret_hash BLOB NOT NULL,
  expires_at REAL
) STRICT;
CREATE TABLE grants (
  -- Never given twice: an old token must not find another's grant.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  -- The user's generation, where a new password ends the grant; see TokenPolicy.endsWithPassword.
  user_generation INTEGER,
  scopes TEXT NOT NULL,
  attributes TEXT NOT NULL,
  access_prefix TEXT NOT NULL,
  refresh_prefix TEXT NOT NULL,
  -- The SHA-256 of what all refresh tokens of the grant have in common; null where there are none.
  handle_hash BLOB UNIQUE,
  -- The SHA-256 of the one refresh token that is live: there is room for one only.
  leaf_hash BLOB,
  -- How often refresh tokens have been rotated, and access tokens issued.
  rotations INTEGER NOT NULL DEFAULT 0,
  issued INTEGER NOT NULL DEFAULT 0,
  created_at REAL NOT NULL,
  used_at REAL NOT NULL,
  refresh_ends_at REAL,
  -- When to look whether the row can go; null where it goes with its last access token.
  expires_at REAL
) STRICT;
INSERT INTO grants VALUES(1,'3MVG9ugguYlHxQVIfwGCPsAjILVWA0iSmRUjXw_0dUBNoj--J9qlFXr8xljqxRwLLpGpkivlynlryOuAod7bo','BrNi6igIf-0ca0DKYduWSw',NULL,'api refresh_token id','{}','','5Aep861',X'28eb66a3a5dde8eea9c45260bb1226fb1792ad5db738c330603cff037ed1985c',X'09d737f9e84567aba8d93e4bda9c2aac5b7718174135914c926a5260c6d6a7c6',0,1,1795535137.8606994152,1795535137.8606994152,NULL,NULL);
INSERT INTO grants VALUES(2,'3MVG9ugguYlHxQVIfwGCPsAjILVWA0iSmRUjXw_0dUBNoj--J9qlFXr8xljqxRwLLpGpkivlynlryOuAod7bo','BrNi6igIf-0ca0DKYduWSw',NULL,'api refresh_token id','{}','','5Aep861',X'444013584010c3ca1c2849770549620d037087bc767e5a5536c68677c03f5e02',X'cc260f4b54bf4bec56528c98ff090aa7b81c212a4f06ca78bedab63ba9bc2202',0,1,1795535178.9017567634,1795535178.9017567634,NULL,NULL);
INSERT INTO grants VALUES(3,'3MVG9ugguYlHxQVIfwGCPsAjILVWA0iSmRUjXw_0dUBNoj--J9qlFXr8xljqxRwLLpGpkivlynlryOuAod7bo','BrNi6igIf-0ca0DKYduWSw',NULL,'api refresh_token id','{}','','5Aep861',X'26e548babb4dbeb5e1edd9a4aeecf787be4df885c0263c3198ad548957971101',X'88ada5fb7514129658d2b0749e80153ef27d0db28bcf58cf5d389b80b40c965e',0,1,1795535191.6556420326,1795535191.6556420326,NULL,NULL);
CREATE TABLE spent_refresh_tokens (
  grant_id INTEGER NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL,
  -- Yields the successor, together with the token itself; see RefreshTokenText.successor.
  salt BLOB NOT NULL,
  -- Null as long as nobody has used the successor; see TokenPolicy.replaysUntilSuccessorIsUsed.
  replay_until REAL,
  PRIMARY KEY (grant_id, token_hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE access_tokens (
  token_hash BLOB PRIMARY KEY,
  grant_id INTEGER NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
  -- Counts the grant's access tokens.
  number INTEGER NOT NULL,
  -- Null for the grant's.
  scopes TEXT,
  created_at REAL NOT NULL,
  seen_at REAL NOT NULL,
  -- Seconds without a use after which it ends, where uses matter.
  idle REAL,
  -- When it ends at the latest.
  ends_at REAL,
  -- When the row can go; a touch moves it on.
  expires_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO access_tokens VALUES(X'167d73faf1c440f895b0e61a9e698425bcecbc019bb26608d90e81bb86e49206',3,1,NULL,1795535191.6556420326,1795535191.6556420326,7200.0,NULL,1795542451.6556420326);
INSERT INTO access_tokens VALUES(X'3940a0a81c65f70c31835a29047181e37d2634d97e490d0cca0d8033a7a366de',2,1,NULL,1795535178.9017567634,1795535178.9017567634,7200.0,NULL,1795542438.9017567634);
INSERT INTO access_tokens VALUES(X'7bdf36ca064e5c8230babd4c67b1bd5e1eab2bc4bd172b9d6229f8b2056f99f8',1,1,NULL,1795535137.8606994152,1795535137.8606994152,7200.0,NULL,1795542397.8606994152);
CREATE TABLE authorization_codes (
  code_hash BLOB PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  user_generation INTEGER,
  -- See PendingGrant.
  request TEXT NOT NULL,
  redirect_uri TEXT,
  challenge TEXT,
  expires_at REAL NOT NULL,
  spent INTEGER NOT NULL DEFAULT 0,
  -- What came of it; no reference, because the code stays spent when that has ended.
  grant_id INTEGER,
  remove_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO authorization_codes VALUES(X'349335688c890e66fb95a69842b5170076c75a24c3aa1b2db06f39045ee2222a','3MVG9ugguYlHxQVIfwGCPsAjILVWA0iSmRUjXw_0dUBNoj--J9qlFXr8xljqxRwLLpGpkivlynlryOuAod7bo','BrNi6igIf-0ca0DKYduWSw',0,'{"attributes":{},"includesRefreshToken":true,"scopes":["api","refresh_token","id"],"accessPrefix":"","refreshPrefix":"5Aep861"}','http://localhost:1717/OauthRedirect','CrlVwe1WSHWuTQYh3iczmx3aS-faRx6C92k9_hNxl4A',1795536037.8563156128,1,1,1795539637.8563156128);
INSERT INTO authorization_codes VALUES(X'b19e67ae46c7c0c3fcb734b5bab91a0e6ad501d4abcb44c0ed99a8e1afa64b2c','3MVG9ugguYlHxQVIfwGCPsAjILVWA0iSmRUjXw_0dUBNoj--J9qlFXr8xljqxRwLLpGpkivlynlryOuAod7bo','BrNi6igIf-0ca0DKYduWSw',0,'{"refreshPrefix":"5Aep861","scopes":["api","refresh_token","id"],"attributes":{},"includesRefreshToken":true,"accessPrefix":""}','http://localhost:1717/OauthRedirect','CrlVwe1WSHWuTQYh3iczmx3aS-faRx6C92k9_hNxl4A',1795536091.6523733139,1,3,1795539691.6523733139);
INSERT INTO authorization_codes VALUES(X'f32cb8c54bf46ca22d80b83e2a62edeabc366a5555dcac75a80ef0cd6bab86e5','3MVG9ugguYlHxQVIfwGCPsAjILVWA0iSmRUjXw_0dUBNoj--J9qlFXr8xljqxRwLLpGpkivlynlryOuAod7bo','BrNi6igIf-0ca0DKYduWSw',0,'{"includesRefreshToken":true,"refreshPrefix":"5Aep861","scopes":["api","refresh_token","id"],"accessPrefix":"","attributes":{}}','http://localhost:1717/OauthRedirect','CrlVwe1WSHWuTQYh3iczmx3aS-faRx6C92k9_hNxl4A',1795536078.8980979919,1,2,1795539678.8980979919);
CREATE TABLE device_codes (
  code_hash BLOB PRIMARY KEY,
  user_code_hash BLOB NOT NULL UNIQUE,
  client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  user_generation INTEGER,
  request TEXT NOT NULL,
  -- 0 pending, 1 approved, 2 denied.
  state INTEGER NOT NULL DEFAULT 0,
  interval REAL NOT NULL,
  polled_at REAL,
  expires_at REAL NOT NULL,
  remove_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE token_epoch (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL) STRICT;
INSERT INTO token_epoch VALUES(1,1);
CREATE TABLE salesforce_keys (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO salesforce_keys VALUES('consumer key','3MVG9ugguYlHxQVIfwGCPsAjILVWA0iSmRUjXw_0dUBNoj--J9qlFXr8xljqxRwLLpGpkivlynlryOuAod7bo');
INSERT INTO salesforce_keys VALUES('security tokens','8555a2896858349c8d5db72db0337cb1c0ebd1a832517f0854b6c3346bf3bf5f');
CREATE TABLE salesforce_records (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  org TEXT NOT NULL,
  object TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  fields TEXT NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL
) STRICT;
CREATE TABLE flows (
  id_hash BLOB PRIMARY KEY,
  kind TEXT NOT NULL,
  step TEXT NOT NULL,
  subject BLOB,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  generation INTEGER,
  pending TEXT,
  -- Keyed with what is not in the database; see FlowCode.
  code_hash BLOB,
  code_expires_at REAL NOT NULL,
  attempts INTEGER NOT NULL,
  sends INTEGER NOT NULL,
  sent_at REAL NOT NULL,
  expires_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO flows VALUES(X'581947b1cb2eda164f039a9e1185683e6139828e8a2363465e714d0e95cdc447','login','done',NULL,NULL,NULL,NULL,NULL,1795535137.8054599762,0,0,1795535137.8054599762,1795538737.0);
INSERT INTO flows VALUES(X'7a19a804e4aabd23fbc157368fa8a0be37844cedece1c8113fd8f993365407fe','login','done',NULL,NULL,NULL,NULL,NULL,1795535191.6175341605,0,0,1795535191.6175341605,1795538791.0);
INSERT INTO flows VALUES(X'bd8c318735a9e1e3c0b106c637c9becbc5a6a85aaecd4833fcb6efe8a1685283','login','done',NULL,NULL,NULL,NULL,NULL,1795535178.8774709701,0,0,1795535178.8774709701,1795538778.0);
CREATE TABLE outbox (
  id BLOB PRIMARY KEY,
  -- The whole message, under a key that is not in the database.
  sealed BLOB NOT NULL,
  attempts INTEGER NOT NULL,
  due_at REAL NOT NULL,
  expires_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE mail_counts (
  address_key BLOB PRIMARY KEY,
  count INTEGER NOT NULL,
  since REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE primer_events (
  -- In the order they came.
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The SHA-256 of the app and the id that its sender gave it: an event that comes again is not another.
  id_hash BLOB NOT NULL UNIQUE,
  -- The SHA-256 of the app's token.
  app BLOB NOT NULL,
  event TEXT NOT NULL,
  -- The bytes of all events that came before this one: what to remove is found by it.
  begins_at INTEGER NOT NULL,
  received_at REAL NOT NULL
) STRICT;
CREATE TABLE primer_identities (
  app BLOB NOT NULL,
  anonymous_id TEXT NOT NULL,
  user_id TEXT,
  is_logged_in INTEGER NOT NULL,
  -- Whether a flow was begun.
  has_seen INTEGER NOT NULL,
  properties TEXT NOT NULL,
  updated_at REAL NOT NULL,
  PRIMARY KEY (app, anonymous_id)
) STRICT, WITHOUT ROWID;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('grants',3);
INSERT INTO sqlite_sequence VALUES('newzulu_accounts',1);
CREATE INDEX users_by_work ON users (password_work);
CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX failures_by_age ON failures (updated_at);
CREATE INDEX users_by_email ON users (email_key) WHERE email_key IS NOT NULL;
CREATE INDEX users_by_tenant ON users (tenant) WHERE tenant IS NOT NULL;
CREATE INDEX newzulu_files_by_vhost ON newzulu_files (vhost, id);
CREATE INDEX newzulu_files_by_owner ON newzulu_files (user_id, status);
CREATE INDEX newzulu_files_by_age ON newzulu_files (status, updated_at);
CREATE INDEX client_secrets_by_client ON client_secrets (client_id, id);
CREATE INDEX grants_by_user ON grants (user_id, client_id, id);
CREATE INDEX grants_by_client ON grants (client_id);
CREATE INDEX grants_by_expiry ON grants (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX spent_refresh_tokens_by_expiry ON spent_refresh_tokens (replay_until) WHERE replay_until IS NOT NULL;
CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id, number);
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);
CREATE INDEX authorization_codes_by_removal ON authorization_codes (remove_at);
CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id);
CREATE INDEX authorization_codes_by_client ON authorization_codes (client_id);
CREATE INDEX device_codes_by_removal ON device_codes (remove_at);
CREATE INDEX device_codes_by_user ON device_codes (user_id);
CREATE INDEX device_codes_by_client ON device_codes (client_id);
CREATE TRIGGER users_changed_for_tokens AFTER UPDATE ON users
  BEGIN UPDATE token_epoch SET number = number + 1; END;
CREATE TRIGGER users_deleted_for_tokens AFTER DELETE ON users
  BEGIN UPDATE token_epoch SET number = number + 1; END;
CREATE TRIGGER clients_changed_for_tokens AFTER UPDATE ON clients
  BEGIN UPDATE token_epoch SET number = number + 1; END;
CREATE TRIGGER clients_deleted_for_tokens AFTER DELETE ON clients
  BEGIN UPDATE token_epoch SET number = number + 1; END;
CREATE TRIGGER secrets_added_for_tokens AFTER INSERT ON client_secrets
  BEGIN UPDATE token_epoch SET number = number + 1; END;
CREATE TRIGGER secrets_changed_for_tokens AFTER UPDATE ON client_secrets
  BEGIN UPDATE token_epoch SET number = number + 1; END;
CREATE TRIGGER secrets_deleted_for_tokens AFTER DELETE ON client_secrets
  BEGIN UPDATE token_epoch SET number = number + 1; END;
CREATE INDEX salesforce_records_by_object ON salesforce_records (org, object);
CREATE INDEX salesforce_records_by_user ON salesforce_records (user_id);
CREATE INDEX flows_by_subject ON flows (subject) WHERE subject IS NOT NULL;
CREATE INDEX flows_by_expiry ON flows (expires_at);
CREATE INDEX outbox_by_due ON outbox (due_at);
CREATE INDEX mail_counts_by_age ON mail_counts (since);
CREATE INDEX primer_events_by_place ON primer_events (begins_at);
CREATE INDEX primer_identities_by_user ON primer_identities (app, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX primer_identities_by_age ON primer_identities (updated_at);
COMMIT;
