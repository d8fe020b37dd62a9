/** Faults of repost rules that were found once, each as the changes of the source that bring it back. */

export interface SourceEdit {
  /** From the root of the repository. */
  file: string;
  /** Occurs once. */
  find: string;
  replace: string;
}

const LINEAGE = 'packages/server/src/lineage';
const REPOSTS = 'packages/server/src/reposts';
const WATCHING = 'packages/server/src/watching';

/** By the name of the planted bug of the model in memory that does the same. */
export const FAULTS: Readonly<Record<string, readonly SourceEdit[]>> = {
  'queued copies ignored': [
    {
      file: `${LINEAGE}/copies.ts`,
      find: `where t.identity_id = d.identity_id and t.content_key = $3 and t.state <> 'posted'`,
      replace: 'where false',
    },
  ],
  'copies compared by sent text': [
    {
      file: `${LINEAGE}/copies.ts`,
      find: 'coalesce(p.content_text, p.normal_text) as text',
      replace: 'p.normal_text as text',
    },
  ],
  // The limit was 2,000.
  'few copies compared': [
    {
      file: `${LINEAGE}/copies.ts`,
      find: 'from placement p where p.identity_id = d.identity_id and p.content_key = $3',
      replace: `from (select * from placement where identity_id = d.identity_id order by published_at desc limit 10) p
      where p.content_key = $3`,
    },
  ],
  'own posts not compared': [
    {
      file: `${REPOSTS}/destinations.ts`,
      find: 'if (row.by_hand || !form) return',
      replace: `if (row.by_hand || !form || content.origin === 'own') return`,
    },
  ],
  'lengths not compared': [
    {
      file: `${REPOSTS}/destinations.ts`,
      find: `return isUseful && canBeHad ? 'needsLength' : 'maybe';`,
      replace: `return 'copy';`,
    },
  ],
  'own posts always public': [
    { file: `${REPOSTS}/content-store.ts`, find: 'isPublic: row.isPublic === true,', replace: 'isPublic: true,' },
  ],
  'description reposted': [
    { file: `${REPOSTS}/content-store.ts`, find: `\${TARGET_TEXT} as description`, replace: 'p.description' },
  ],
  'old content decided again': [
    {
      file: `${LINEAGE}/firings.ts`,
      find: ` and moment.at > app_now() - \${FIRING_DAYS} * interval '1 day'`,
      replace: '',
    },
    {
      file: `${WATCHING}/changed-posts.ts`,
      find: `and p.published_at < app_now() - \${FIRING_DAYS} * interval '1 day'`,
      replace: 'and p.target_id is null',
    },
  ],
  'unwanted file counts as gone': [
    {
      file: `${WATCHING}/source-files.ts`,
      find: 'if (!post?.isWanted) return await drop(db, claim);',
      replace: `if (!post?.isWanted) return await failFile(db, claim, say('gone'));`,
    },
  ],
  'failed repost keeps its account': [
    {
      file: `${LINEAGE}/occupancy.ts`,
      find: `\`(\${t}.state <> 'failed' or \${t}.code = 'outcome_unknown' or \${t}.unproven)\``,
      replace: `\`(\${t}.id is not null)\``,
    },
  ],
  'gone ignored once stored': [
    {
      file: `${REPOSTS}/decide.ts`,
      find: `return isGone && !(byHand && file.state === 'stored') ?`,
      replace: `return isGone && file.state !== 'stored' ?`,
    },
  ],
  'new order ignored': [
    {
      file: `${REPOSTS}/catalog.ts`,
      find: `where firing.state = 'skipped' or (firing.state = 'waiting' and firing.is_catalog)`,
      replace: `where firing.state = 'skipped'`,
    },
  ],
  // The ids of the simulated platform have one form.
  'ids in two forms': [
    {
      file: 'packages/server/src/connectors/kit/define.ts',
      find: 'remoteId: published.remoteId === null ? null : canonicalId(published.remoteId),',
      replace: `remoteId: published.remoteId === null ? null : \`urn:\${published.remoteId}\`,`,
    },
  ],
  'every post may be ours': [
    {
      file: `${LINEAGE}/match.ts`,
      find: ' && !isOtherText(post.text, target.text)',
      replace: '',
    },
  ],
};

/** Faults that the pure model does not have. */
export const OTHER_FAULTS: Readonly<Record<string, readonly SourceEdit[]>> = {
  'kept posts skipped': [
    {
      file: `${REPOSTS}/service.ts`,
      find: '[!rule.isPaused || rule.keepsPosts, !isPaused || keepsPosts]',
      replace: '[!rule.isPaused, !isPaused]',
    },
  ],
  'retry forgets copies': [
    {
      file: `${LINEAGE}/retried-copies.ts`,
      find: 'where p.id = $1 and p.content_text is not null and not p.by_hand',
      replace: `join firing f on f.post_id = p.id where p.id = $1 and p.content_text is not null and not p.by_hand`,
    },
  ],
};

/** @returns the source with an edit @throws Error if the text to replace does not occur exactly once */
export function applyEdit(source: string, { file, find, replace }: SourceEdit): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${find}`);
  return parts.join(replace);
}
