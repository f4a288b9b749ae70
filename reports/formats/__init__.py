"""Forms of files: TOML as a person writes it, spreadsheets, folders of reports."""
