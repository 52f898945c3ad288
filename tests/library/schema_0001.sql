BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE blobs (
	sha256 TEXT NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (sha256)
);
CREATE TABLE log (
	k INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	who TEXT NOT NULL, 
	what TEXT NOT NULL, 
	name TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	seal TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (k)
);
INSERT INTO "log" VALUES(1,'2026-11-16T21:45:39+00:00','alice','add','rail',1,'4ee5958af07d33cd4823b741f63d4fd4b32b3409cfde9f34a5eaf23b6dc6f2d0','53dd97bb699ee0c7cb000b8c12b42636300548fd7cf87209bedd8f1a48853834');
INSERT INTO "log" VALUES(2,'2026-11-16T21:45:39+00:00','alice','add','rail',2,'770b1de8ff42df0635c3d4cdc1fecbabfc6af2c2a37a8fda5fad5b32bb6a68d5','9428df3d9a40192e8628be74e6ee28d0f70169c220fa48721caf988be33820d6');
INSERT INTO "log" VALUES(3,'2026-11-16T21:45:39+00:00','alice','join alice','truck',0,'','081ffa524ee084b9ea083de220263ab9979751483ed950aedb81424aa843ba4f');
INSERT INTO "log" VALUES(4,'2026-11-16T21:45:39+00:00','alice','join bob','truck',0,'','130670a7f02b2eb1747159fc31717a7aa10898c18b55b487de9a1de96ca4d844');
CREATE TABLE members (
	project TEXT NOT NULL, 
	who TEXT NOT NULL, 
	PRIMARY KEY (project, who)
);
INSERT INTO "members" VALUES('truck','alice');
INSERT INTO "members" VALUES('truck','bob');
CREATE TABLE models (
	name TEXT NOT NULL, 
	latest INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	owner TEXT NOT NULL, 
	project TEXT NOT NULL, 
	access TEXT NOT NULL, 
	meaning TEXT NOT NULL, 
	created TEXT NOT NULL, 
	words TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "models" VALUES('rail',2,'leaf','alice','truck','project','left rail','2026-11-16T21:45:39+00:00','rail leaf alice truck apache-2.0 left rail');
CREATE TABLE versions (
	name TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	digest TEXT NOT NULL, 
	passport TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	signer TEXT NOT NULL, 
	signature TEXT NOT NULL, 
	PRIMARY KEY (name, number), 
	FOREIGN KEY(name) REFERENCES models (name)
);
INSERT INTO "versions" VALUES('rail',1,'6e3142094f564a192ddb17f28e39b7277343f3d4d9cbef7f1f3dbe9ead8c46dd','{"access":"project","capabilities":{},"created":"2026-11-16T21:45:39+00:00","digest":"6e3142094f564a192ddb17f28e39b7277343f3d4d9cbef7f1f3dbe9ead8c46dd","files":{"rail.inp":{"sha256":"eb0f5717de0cec6a9a247aee09841fc7bb18307f456ed21be08319bdae3bf94b","size":6}},"format":1,"kind":"leaf","kit":"","licence":"Apache-2.0","main":"rail.inp","meaning":"left rail","name":"rail","owner":"alice","parameters":[],"policy":"","ports":{},"previous":"","project":"truck","remote":{},"uses":{},"version":1}','4ee5958af07d33cd4823b741f63d4fd4b32b3409cfde9f34a5eaf23b6dc6f2d0','','');
INSERT INTO "versions" VALUES('rail',2,'8ac020daad61b4123d1e850c7e6afe8bed4212cf7bbcbfdd4fdd8bac0c3b1a66','{"access":"project","capabilities":{},"created":"2026-11-16T21:45:39+00:00","digest":"8ac020daad61b4123d1e850c7e6afe8bed4212cf7bbcbfdd4fdd8bac0c3b1a66","files":{"rail.inp":{"sha256":"69c02c42e41181f84b404958e525908a8579bfe96969f2d1d485dd50a9414089","size":8}},"format":1,"kind":"leaf","kit":"","licence":"Apache-2.0","main":"rail.inp","meaning":"left rail","name":"rail","owner":"alice","parameters":[],"policy":"","ports":{},"previous":"4ee5958af07d33cd4823b741f63d4fd4b32b3409cfde9f34a5eaf23b6dc6f2d0","project":"truck","remote":{},"uses":{},"version":2}','770b1de8ff42df0635c3d4cdc1fecbabfc6af2c2a37a8fda5fad5b32bb6a68d5','','');
CREATE INDEX models_by_owner ON models (owner);
CREATE INDEX models_by_project ON models (project);
CREATE INDEX versions_by_digest ON versions (digest);
CREATE INDEX log_by_name ON log (name);
COMMIT;
