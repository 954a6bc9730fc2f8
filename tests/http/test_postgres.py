"""One journey on PostgreSQL; the soak runs every test of this folder on it."""

from __future__ import annotations

import pytest

from tests.http.conftest import Live, upload


@pytest.mark.postgres
def test_from_upload_to_deletion(postgres_live: Live) -> None:
    with postgres_live.client(postgres_live.key()) as client:
        book = upload(client)
        at = f"/books/{book['id']}"
        assert book["state"] == "ready"
        assert [listed["id"] for listed in client.get("/books").json()["items"]] == [book["id"]]
        names = [person["name"] for person in client.get(f"{at}/characters").json()["items"]]
        assert {"Margaret Vane", "Agnes Vane"} & set(names)
        assert client.get(f"{at}/passages", params={"q": "letter"}).json()["items"]
        answer = client.get(f"{at}/characters/Agnes/description").json()
        assert answer["sentences"]
        assert client.get(f"{at}/characters/Agnes/description").json() == answer
        with postgres_live.client(postgres_live.key()) as stranger:
            assert stranger.get(at).status_code == 404
        assert client.delete(at).status_code == 204
        assert client.get(at).status_code == 404
