/** Texts that the signed-in user often inserts into captions. All methods require a session. */
import type { components } from './generated/schema.ts';
import { dataOf, type Transport } from './transport.ts';

export type Snippet = components['schemas']['Snippet'];
export type SaveSnippet = components['schemas']['SaveSnippet'];

export interface Snippets {
  /** Oldest first. */
  list(): Promise<Snippet[]>;
  /** Adds a snippet, or replaces the text of the one of this name. */
  save(snippet: SaveSnippet): Promise<Snippet>;
  /** Another snippet of the new name is deleted. */
  edit(id: string, snippet: SaveSnippet): Promise<Snippet>;
  delete(id: string): Promise<void>;
}

const PATH = '/snippets';

export function createSnippets(transport: Transport): Snippets {
  const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  return {
    list: () => dataOf(transport, { method: 'GET', path: PATH }),
    save: (json) => dataOf(transport, { method: 'PUT', path: PATH, json }),
    edit: (id, json) => dataOf(transport, { method: 'PUT', path: pathOf(id), json }),
    async delete(id) {
      await transport({ method: 'DELETE', path: pathOf(id) });
    },
  };
}
