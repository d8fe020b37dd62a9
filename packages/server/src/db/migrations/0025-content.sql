-- A target that failed before anything was sent, or without any effect, keeps no other post from its account.
drop index target_lineage;
create unique index target_lineage on target (origin_id, identity_id)
  where state <> 'failed' or code = 'outcome_unknown' or unproven;
