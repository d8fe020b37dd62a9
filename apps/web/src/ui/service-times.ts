/** Times as the service writes them into its texts, which programs read too: ISO 8601 in UTC. */
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Writes the times in a text of the service as the page does. @param format of ms since the epoch */
export function withLocalTimes(text: string, format: (ms: number) => string): string {
  return text.replace(TIME, (time) => (Number.isNaN(Date.parse(time)) ? time : format(Date.parse(time))));
}
