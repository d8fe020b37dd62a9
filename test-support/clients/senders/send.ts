/**
 * Sends forms with an HTTP client of Node, in a process of its own as an application does.
 *   node send.ts fetch|undici|axios|n8n|stream < forms.json
 * Reads a JSON array of forms (see contract.ts) and prints a JSON array of their responses.
 */
import { createReadStream, openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { json } from 'node:stream/consumers';
import axios from 'axios';
import StreamedForm from 'form-data';
import * as undici from 'undici';
import type { FormToSend, SentForm } from './contract.ts';

const LIMIT_MS = 120_000;
const MIME = 'video/mp4';

/** Calls `addField` and `addFile` in the order of the form. */
async function fill(
  { fields, file, before }: FormToSend,
  addField: (name: string, value: string) => void,
  addFile: (name: string, path: string) => void | Promise<void>,
): Promise<void> {
  for (const [name, value] of fields.slice(0, before)) addField(name, value);
  await addFile(file.name, file.path);
  for (const [name, value] of fields.slice(before)) addField(name, value);
}

async function standardForm<Form extends Pick<FormData, 'append'>>(target: Form, form: FormToSend): Promise<Form> {
  await fill(
    form,
    (name, value) => target.append(name, value),
    async (name, path) => target.append(name, await openAsBlob(path, { type: MIME }), basename(path)),
  );
  return target;
}

async function streamedForm(form: FormToSend): Promise<StreamedForm> {
  const target = new StreamedForm();
  await fill(
    form,
    (name, value) => target.append(name, value),
    (name, path) => target.append(name, createReadStream(path), { filename: basename(path), contentType: MIME }),
  );
  return target;
}

async function postWithAxios(
  { url }: FormToSend,
  data: unknown,
  options: { headers: Record<string, string>; signal: AbortSignal },
): Promise<SentForm> {
  const response = await axios.post(url, data, {
    ...options,
    proxy: false,
    maxBodyLength: Number.POSITIVE_INFINITY,
    responseType: 'text',
    transformResponse: (text: string) => text,
    validateStatus: () => true,
  });
  return { status: response.status, text: response.data };
}

/** The default is the dispatcher of Node's own undici, which never sends the form of another version. */
const dispatcher = new undici.Agent();

type Send = (form: FormToSend, signal: AbortSignal) => Promise<SentForm>;

const sends: Record<string, Send> = {
  async fetch(form, signal) {
    const { url, headers } = form;
    const body = await standardForm(new FormData(), form);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    return { status: response.status, text: await response.text() };
  },
  async undici(form, signal) {
    const { url, headers } = form;
    const body = await standardForm(new undici.FormData(), form);
    const response = await undici.request(url, { method: 'POST', headers, body, signal, dispatcher });
    return { status: response.statusCode, text: await response.body.text() };
  },
  async axios(form, signal) {
    return postWithAxios(form, await standardForm(new FormData(), form), { headers: { ...form.headers }, signal });
  },
  // As n8n's HTTP Request node does: axios with a `form-data` stream, whose length it measures first.
  async n8n(form, signal) {
    const body = await streamedForm(form);
    const length = await new Promise<number>((resolve, reject) =>
      body.getLength((error, bytes) => (error ? reject(error) : resolve(bytes))),
    );
    const headers = { ...form.headers, ...body.getHeaders(), 'content-length': String(length) };
    return postWithAxios(form, body, { headers, signal });
  },
  async stream(form, signal) {
    const body = await streamedForm(form);
    return postWithAxios(form, body, { headers: { ...form.headers, ...body.getHeaders() }, signal });
  },
};

const [, , name = ''] = process.argv;
const send = sends[name];
if (!send) throw new Error(`There is no client ${name}.`);
const sent: SentForm[] = [];
for (const form of (await json(process.stdin)) as FormToSend[])
  sent.push(await send(form, AbortSignal.timeout(LIMIT_MS)));
process.stdout.write(JSON.stringify(sent));
