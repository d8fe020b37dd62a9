import { expect, test } from 'vitest';
import { OPERATIONS, RAWS, SIGN_IN, TAGS } from '../../src/app/operations.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import type { OpenApiDocument } from '../../src/http/openapi/types.ts';
import { breakingChanges } from './breaking.ts';

const made = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS, raws: RAWS, signIn: SIGN_IN });

/** Returns the document with a change. */
// biome-ignore lint/suspicious/noExplicitAny: changes access deeply nested properties
function changed(change: (document: any) => void): OpenApiDocument {
  const copy = structuredClone(made);
  change(copy);
  return copy;
}

const add = '/repost/add';
const breaking: [string, Parameters<typeof changed>[0], RegExp][] = [
  ['an operation goes', (it) => delete it.paths['/reposts'], /GET \/reposts is gone/],
  [
    'a property of a response goes',
    (it) => delete it.components.schemas.Platform.properties._id,
    /GET \/platform\/platforms 200\.data\[\]\._id is gone/,
  ],
  ['a property of a response may be absent', (it) => it.components.schemas.Repost.required.pop(), /may now be absent/],
  [
    'a property of a response changes its type',
    (it) => {
      it.components.schemas.Repost.properties.isPaused.type = 'string';
    },
    /isPaused changed its type/,
  ],
  [
    'a property that can be sent goes',
    (it) => delete it.components.schemas.PauseRepost.properties.pause,
    /body\.pause is gone/,
  ],
  ['something more must be sent', (it) => it.components.schemas.AddRepost.required.push('delay'), /now needs delay/],
  [
    'a bound becomes narrower',
    (it) => {
      it.components.schemas.AddRepost.properties.to.maxItems = 10;
    },
    /narrower maxItems/,
  ],
  [
    'a text gets a pattern',
    (it) => {
      it.components.schemas.AddRepost.properties.from.pattern = '^[a-z]+$';
    },
    /body\.from has another pattern/,
  ],
  [
    'one of several properties must be sent',
    (it) => {
      it.components.schemas.EditPost.anyOf = [{ required: ['description'] }, { required: ['scheduled'] }];
    },
    /now needs one of/,
  ],
  [
    'one of the properties of which one must be sent no longer counts',
    (it) => it.components.schemas.PauseRepost.anyOf.pop(),
    /now needs one of/,
  ],
  [
    'several of the properties no longer may be sent together',
    (it) => {
      const schema = it.components.schemas.PauseRepost;
      schema.oneOf = schema.anyOf;
      delete schema.anyOf;
    },
    /now needs one of/,
  ],
  ['keys are no longer taken', (it) => it.paths[add].post.security.shift(), /no longer takes apiKey/],
  ['a parameter goes', (it) => it.paths['/media/{filename}'].get.parameters.pop(), /no longer knows the parameter/],
  [
    'a header goes',
    (it) => delete it.components.responses['429-rate_limited'].headers['Retry-After'],
    /no longer has the header Retry-After/,
  ],
];

test.each(breaking)('the comparison detects a break: %s', (_name, change, sentence) => {
  expect(breakingChanges(made, changed(change)).join('\n')).toMatch(sentence);
});

const harmless: [string, Parameters<typeof changed>[0]][] = [
  ['nothing changes', () => {}],
  ['an operation is added', (it) => Object.assign(it.paths, { '/new': it.paths['/reposts'] })],
  [
    'a response grows',
    (it) => {
      it.components.schemas.Platform.properties.more = { type: 'string' };
    },
  ],
  [
    'something more can be sent',
    (it) => {
      it.components.schemas.AddRepost.properties.delay = { type: 'integer' };
    },
  ],
  ['an error code is added', (it) => it.components.schemas.ErrorCode.enum.push('new_code')],
  [
    'a bound becomes wider',
    (it) => {
      it.components.schemas.AddRepost.properties.to.maxItems = 100;
    },
  ],
];

harmless.push(
  [
    'nothing of several properties must be sent any longer',
    (it) => {
      delete it.components.schemas.PauseRepost.anyOf;
      delete it.components.schemas.CreatePost.oneOf;
    },
  ],
  [
    'another property may be sent instead of those of which one must',
    (it) => it.components.schemas.CreatePost.oneOf.push({ required: ['other'] }),
  ],
);

test.each(harmless)('the comparison accepts a compatible change: %s', (_name, change) => {
  expect(breakingChanges(made, changed(change))).toEqual([]);
});
