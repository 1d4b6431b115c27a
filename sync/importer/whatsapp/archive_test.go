package whatsapp

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer"
)

// A phone sends a text, a zip with media, or, for people who export much, a folder
// of both. Titles come from the names, media are not read.
func TestFilesOfAnExport(t *testing.T) {
	const ios = "[23.04.22, 14:05:09] Anna: Hallo\r\n\u200e[23.04.22, 14:06:10] Jonas: \u200e<Anhang: 00000002-PHOTO-2022-04-23-14-06-10.jpg>\r\n"
	const android = "23/04/2022, 14:05 - Mira: Hello\n23/04/2022, 14:06 - Jonas: IMG-20220423-WA0001.jpg (file attached)\n"
	for _, tt := range []struct {
		name  string
		write func(t *testing.T, dir string) string
		want  []string // titles and turns
	}{
		{"a text", func(t *testing.T, dir string) string {
			return put(t, dir, "WhatsApp Chat with Mira.txt", android)
		}, []string{"Mira 2"}},
		{"a zip with media, iOS", func(t *testing.T, dir string) string {
			return zipped(t, dir, "WhatsApp Chat - Anna.zip", "_chat.txt", ios, "00000002-PHOTO-2022-04-23-14-06-10.jpg", "\xff\xd8\xff")
		}, []string{"Anna 2"}},
		{"a zip with media, Android", func(t *testing.T, dir string) string {
			return zipped(t, dir, "export.zip", "WhatsApp Chat with Mira.txt", android, "IMG-20220423-WA0001.jpg", "\xff\xd8\xff", "Alex.vcf", "BEGIN:VCARD\r\nEND:VCARD\r\n")
		}, []string{"Mira 2"}},
		{"a zip unpacked", func(t *testing.T, dir string) string {
			put(t, dir, "WhatsApp Chat - Anna/_chat.txt", ios)
			put(t, dir, "WhatsApp Chat - Anna/00000002-PHOTO-2022-04-23-14-06-10.jpg", "\xff\xd8\xff")
			return filepath.Join(dir, "WhatsApp Chat - Anna")
		}, []string{"Anna 2"}},
		{"a folder of texts and zips", func(t *testing.T, dir string) string {
			put(t, dir, "WhatsApp Chat with Mira.txt", android)
			put(t, dir, "WhatsApp Chat with Leo.txt", "24/04/2022, 14:05 - Leo: Hello\n")
			zipped(t, dir, "WhatsApp Chat - Anna.zip", "_chat.txt", ios)
			return dir
		}, []string{"Anna 2", "Leo 1", "Mira 2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := importer.Open(tt.write(t, t.TempDir()), importer.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			plan, err := importer.Detect(b, []importer.Format{Format{}}, "")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range plan.Matches {
				err := m.Format.Read(t.Context(), m.Input, func(c importer.Conversation) error {
					got = append(got, c.Title+" "+itoa(len(c.Turns)))
					return nil
				}, func(importer.Warning) {})
				if err != nil {
					t.Error(err)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("conversations (-want +got):\n%s\nskipped %v", diff, plan.Skipped)
			}
		})
	}
}

func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// zipped writes an archive of pairs of name and content.
func zipped(t *testing.T, dir, name string, files ...string) string {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z := zip.NewWriter(file)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}
