export const status = {
  SUCCESS: 'Posted',
  PENDING: 'In progress',
  SCHEDULED: 'Scheduled',
  RETRYING: 'Retrying',
  UNKNOWN: 'Unknown',
  PARTLY: 'Partly posted',
  FAILED: 'Failed',
};
