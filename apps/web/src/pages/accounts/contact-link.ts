/** The link to the operator: a mail with a subject, or their page. Pure. @param contact an email address or https URL */
export function contactLink(contact: string, subject: string): string {
  return /^https:\/\//i.test(contact) ? contact : `mailto:${contact}?subject=${encodeURIComponent(subject)}`;
}
