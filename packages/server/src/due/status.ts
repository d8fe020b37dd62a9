/** What a part of the service says of itself, for readiness. */
export interface PartStatus {
  /** false: the part no longer does its work, and is not about to on its own. */
  ok: boolean;
  /** A few words for operators; "ok" where there is nothing to say. */
  detail: string;
}
