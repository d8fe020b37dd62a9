/** Every operation and page of the service, once. */
import { platforms } from './api/platform/platforms.ts';
import { getApiKey } from './api/user/getApiKey.ts';
import type { Operation } from './http/operation.ts';
import type { Page } from './http/page.ts';

export const OPERATIONS: readonly Operation[] = [getApiKey, platforms];

export const PAGES: readonly Page[] = [];
