"""A tiny book for tests that ingest: two chapters, two sisters, a doctor, a captain and a letter."""

TITLE = "The Lamp at Harrow Quay"

STORY = """THE LAMP AT HARROW QUAY

by Nobody in Particular


CHAPTER I. The Lamp

Margaret Vane lit the lamp above the quay, as she had done every night for eleven years. She was a
careful woman. The wind came off the water and Margaret pulled her shawl close about her shoulders.

“You will catch your death,” said Dr. Pell, who had come up the steps behind her.

“I never catch anything, Dr. Pell,” said Margaret. “It is my sister who catches things.”

Dr. Pell laughed. He was a stout man with a kind voice, and he had known Margaret since she was a
child. He loved the harbour, and he feared the winter.

Her sister Agnes Vane sat by the window below. Agnes had not spoken to Margaret for a week. She was
angry about the letter, and she hid her anger badly.

CHAPTER II. The Letter

In the morning Agnes came down to the quay with the letter in her hand. “Margaret,” said Agnes,
“this was written to me, and you opened it.”

Margaret did not answer at once. She looked at the water. “I was afraid,” she said at last. “I
thought that he would take you away.”

“Captain Roe would never take me where I did not wish to go,” said Agnes.

Captain Roe himself stood at the end of the quay with his hat in his hands. He had come back from
the sea that night, and he was older than either sister had expected. Agnes ran to Captain Roe and
took his arm.

Margaret watched them go. Then Margaret Vane put out the lamp, for it was day.
"""


def story(number: int = 0) -> bytes:
    """The story; another number makes other bytes, and so another book."""
    return (STORY + f"\n\nCopy number {number} of the little edition.\n" * (number > 0)).encode()
