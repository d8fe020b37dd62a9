/** Colors of what the service renders itself: small pages and mails. They are those of the dashboard, which a test compares. */

export interface Colors {
  text: string;
  dim: string;
  paper: string;
  page: string;
  line: string;
  first: string;
  link: string;
  bad: string;
}

export const LIGHT: Colors = {
  text: '#1a1728',
  dim: '#4d4966',
  paper: '#fff',
  page: '#f7f7fc',
  line: '#cac8da',
  first: '#4c3fd1',
  link: '#4335bd',
  bad: '#c92a2a',
};

export const DARK: Colors = {
  text: '#dedbe9',
  dim: '#bdb9cd',
  paper: '#1b1825',
  page: '#13111b',
  line: '#454057',
  first: '#6255dd',
  link: '#b5adf5',
  bad: '#ff8787',
};
