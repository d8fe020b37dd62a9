/**
 * The language of a response, and the zone of its times. Programs get English; browsers get the first language they accept
 * that the service speaks. Times are in the zone of the caller's settings.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedLanguage, type Texts } from '../messages/languages.ts';
import type { HttpServices } from './http-services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** null: English. */
    texts: Texts | null;
  }
}

/** Loads the texts for a request, before anything can be refused. A request with credentials of a program gets English. */
export async function chooseLanguage({ languages }: HttpServices, request: FastifyRequest): Promise<void> {
  const { authorization, 'accept-language': accepted } = request.headers;
  const language = authorization === undefined ? acceptedLanguage(accepted) : 'en';
  request.texts = language === 'en' ? null : await languages.texts(language);
}

/** The context with the messages of the request's language, and times in the caller's zone. */
export function speaking<Services extends HttpServices>(
  context: Services,
  { texts, caller }: FastifyRequest,
): Services {
  const zone = caller?.zone ?? 'UTC';
  if (!texts && zone === 'UTC') return context;
  const { language, renderIn } = texts ?? context.languages.english;
  return { ...context, language, renderMessage: renderIn(zone), renderIn };
}

/** Declares the language of a response that is not English. */
export function declareLanguage(reply: FastifyReply, { texts }: FastifyRequest): void {
  if (texts) reply.headers({ 'content-language': texts.language, vary: 'Accept-Language' });
}
