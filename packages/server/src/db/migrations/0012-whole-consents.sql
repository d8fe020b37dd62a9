-- Who consented to which application, for platforms whose revocation ends a whole consent. '' in consent_app: a
-- revocation ends only the grant's own tokens. null: written before, unknown. '' in consent_person: unknown.
alter table access_grant add column consent_app text, add column consent_person text not null default '';
create index access_grant_consent on access_grant (consent_app, consent_person);
