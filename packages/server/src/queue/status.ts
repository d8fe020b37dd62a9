/** Health of a part of the service, for the readiness check. */
export interface PartStatus {
  /** false: the part does not work and will not recover on its own. */
  ok: boolean;
  /** A few words for operators; "ok" when healthy. */
  detail: string;
}
