/** The page that asks which accounts of a consent are connected, and for the settings that they need. */
import type { ChosenValues, OfferedAccount } from '../../accounts/connect/account-selection.ts';
import type { ConsentStep } from '../../accounts/connect/consent-page.ts';
import type { OwnChoice } from '../../accounts/settings/account-settings.ts';
import type { SettingText } from '../../connectors/contract.ts';
import type { Context } from '../../context.ts';
import { htmlPage, type PageResponse } from '../../http/page.ts';
import { handleOf } from '../../lib/handle.ts';
import { escapeHtml } from '../../lib/html.ts';
import type { MessageRenderer } from '../../messages/message.ts';
import { pageText } from '../../messages/pages.ts';

/** What pages are rendered with. */
export type Speaking = Pick<Context, 'connectors' | 'language' | 'renderMessage'>;

/** More values are shown as a list that opens. */
const MAX_BUTTONS = 6;

/** Parses what {@link choosePage} submits: names of fields contain the choice and the account. Pure. */
export function choicesIn(query: URLSearchParams): ChosenValues {
  const chosen = new Map<string, Record<string, string>>();
  for (const [field, value] of query) {
    const [, name, remoteId] = /^choice:(\w+):(.+)$/s.exec(field) ?? [];
    if (name && remoteId && value !== '') chosen.set(remoteId, { ...chosen.get(remoteId), [name]: value });
  }
  return Object.fromEntries(chosen);
}

/**
 * Renders a form with checkboxes. Connected accounts are checked; if none is connected, all are. A single account has
 * no checkbox.
 */
export function choosePage(
  { connectors, language, renderMessage: render }: Speaking,
  { platform, name, token, accounts }: ConsentStep & { then: 'choose' },
): PageResponse {
  const alone = accounts.length === 1;
  const isNew = !accounts.some(({ connected }) => connected);
  const texts = connectors[platform]?.form?.settings;
  const boxes = accounts.map((account) => {
    const id = escapeHtml(account.remoteId);
    const choices = account.missing
      .map((choice) => choiceField(account, choice, { text: texts?.[choice.name], language, render }))
      .join('\n');
    if (alone)
      return `<input type="hidden" name="account" value="${id}"><p><strong>${labelOf(account)}</strong></p>${choices}`;
    const state = account.connected || isNew ? ' checked' : '';
    const note = account.connected ? ` <small>${render(pageText('select_connected'))}</small>` : '';
    return `<label class="choice"><input type="checkbox" name="account" value="${id}"${state}><span>${labelOf(account)}${note}</span></label>${choices}`;
  });
  const params = { platform: escapeHtml(name) };
  const title = render(alone ? pageText('settings_title', { platform: name }) : pageText('select_title'));
  const lead = render(pageText(alone ? 'settings_lead' : 'select_lead', params));
  const fields = boxes.join('\n');
  const legend = render(pageText('select_legend', params));
  const body = `<h1>${escapeHtml(title)}</h1><p>${lead}</p>
<form method="get" action="/oauth/${encodeURIComponent(platform)}/choose"><input type="hidden" name="token" value="${escapeHtml(token)}">
${alone ? fields : `<fieldset><legend>${legend}</legend>${fields}</fieldset>`}
<p><button type="submit" class="first">${render(pageText('select_connect'))}</button></p></form>`;
  return { status: 200, body: htmlPage({ title, body, language }) };
}

function labelOf({ username, displayName }: OfferedAccount): string {
  const names = [displayName, username && username !== displayName ? handleOf(username) : ''].filter(Boolean);
  return `<bdi translate="no">${escapeHtml(names.join(' '))}</bdi>`;
}

interface ChoiceTexts {
  /** How the owner of an account sees the setting. */
  text: SettingText | undefined;
  language: Context['language'];
  render: MessageRenderer;
}

/** Asks for a missing setting. No value is preselected, because some platforms forbid it: "ask for every post" is. */
function choiceField({ remoteId }: OfferedAccount, choice: OwnChoice, { text, language, render }: ChoiceTexts): string {
  const field = escapeHtml(`choice:${choice.name}:${remoteId}`);
  const label = escapeHtml(text?.label[language] ?? render(pageText('setting_label', { setting: choice.label })));
  const values = choice.values.map(({ value, label: own }) => ({
    value: escapeHtml(value),
    title: escapeHtml(text?.values?.[value]?.[language] ?? own),
  }));
  const all = [{ value: '', title: render(pageText('setting_later')) }, ...values];
  if (all.length > MAX_BUTTONS) {
    const options = all.map(({ value, title }) => `<option value="${value}">${title}</option>`);
    return `<p><label>${label} <select name="${field}">${options.join('')}</select></label></p>`;
  }
  const buttons = all.map(
    ({ value, title }) =>
      `<label class="choice"><input type="radio" name="${field}" value="${value}"${value === '' ? ' checked' : ''}><span>${title}</span></label>`,
  );
  return `<fieldset><legend>${label}</legend>${buttons.join('\n')}</fieldset>`;
}
