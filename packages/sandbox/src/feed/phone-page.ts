/** The page of the simulated phone: posts as the owner of an account would with the platform's own app. Pure functions. */
import { escapeHtml } from '../http/pages.ts';
import { MAX_USERNAME } from './credentials.ts';
import { layout } from './layout.ts';

/** Account and post of the last action. */
export interface PhoneResult {
  platform: string;
  username: string;
  id: string;
  /** Absent after an edit or a deletion. */
  url?: string;
}

export interface PhonePage {
  platforms: readonly string[];
  result?: PhoneResult;
  /** What happened to the post of `result`. */
  done?: 'published' | 'edited' | 'deleted';
  error?: string;
  /** Values of the form; default: the account of `result`. */
  values?: FormValues | undefined;
}

export interface FormValues {
  platform: string;
  username: string;
  caption?: string;
}

/** Renders the page. */
export function phonePage({ platforms, result, done, error, values = result }: PhonePage): string {
  const alert = error === undefined ? '' : `<p class="text" role="alert"><strong>${escapeHtml(error)}</strong></p>`;
  const cards = [
    ...(result && done ? [resultCard(result, done)] : []),
    `<article><h2>New post</h2>${alert}${postForm(platforms, values)}</article>`,
  ];
  return layout('Sandbox phone', HEADER, cards.join('\n'));
}

function resultCard(result: PhoneResult, done: NonNullable<PhonePage['done']>): string {
  const { platform, username, id, url } = result;
  const link = url && /^https?:\/\//i.test(url) ? `<p class="when"><a href="${escapeHtml(url)}">View post</a></p>` : '';
  const hidden = Object.entries({ platform, username, id })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  const forms =
    done === 'deleted'
      ? ''
      : `<form method="post" action="/sandbox/phone/edit">${hidden}
<label>New caption <textarea name="caption" rows="3"></textarea></label>
<button>Edit caption</button>
</form>
<form method="post" action="/sandbox/phone/remove">${hidden}<button>Delete post</button></form>`;
  return `<article><h2>Post ${done} <span>${escapeHtml(platform)}</span></h2>
<dl><dt>Account</dt><dd><code>${escapeHtml(username)}</code></dd><dt>Post ID</dt><dd><code>${escapeHtml(id)}</code></dd></dl>
${link}${forms}</article>`;
}

function postForm(platforms: readonly string[], values?: FormValues): string {
  const { platform, username = '', caption = '' } = values ?? {};
  const options = platforms.map((name) => {
    const selected = name === platform ? ' selected' : '';
    return `<option${selected}>${escapeHtml(name)}</option>`;
  });
  // The video is last: the server must know the platform before it stores the file.
  return `<form method="post" action="/sandbox/phone" enctype="multipart/form-data">
<label>Platform <select name="platform">${options.join('')}</select></label>
<label>User name <input name="username" required maxlength="${MAX_USERNAME}" autocomplete="off" value="${escapeHtml(username)}"></label>
<label>Caption <textarea name="caption" rows="3">
${escapeHtml(caption)}</textarea></label>
<label>Audience <select name="audience"><option value="public">Everyone</option><option value="limited">Limited</option></select></label>
<label>Video <input type="file" name="video" required accept="video/mp4,video/quicktime"></label>
<button>Post</button>
</form>`;
}

const HEADER = `<p>Post as the owner of an account would with the platform’s own app.</p>
<p><a href="/sandbox">Feed</a></p>`;
